// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/prompts@0.1.0 **/
export function catalogue(): Array<Prompt>;
export function render(name: string, arguments: Array<[string, string]>): Rendered;
export type Family = import('./rea-guide-types.js').Family;
export type Fault = import('./rea-guide-types.js').Fault;
export interface Argument {
  name: string,
  description: string,
  required: boolean,
  completes?: Family,
}
export interface Prompt {
  name: string,
  title: string,
  description: string,
  arguments: Array<Argument>,
}
export interface Rendered {
  description: string,
  text: string,
}
