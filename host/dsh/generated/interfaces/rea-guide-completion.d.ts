// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/completion@0.1.0 **/
export function source(prompt: string, argument: string): Family | undefined;
export function complete(request: Request): Completions;
export type Family = import('./rea-guide-types.js').Family;
export type Fault = import('./rea-guide-types.js').Fault;
export interface Request {
  prompt: string,
  argument: string,
  value: string,
  context: Array<[string, string]>,
}
export interface Completions {
  values: Array<string>,
  total?: bigint,
  hasMore: boolean,
}
