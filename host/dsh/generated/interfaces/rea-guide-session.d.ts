// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/session@0.1.0 **/
export function documents(): Array<string>;
export function providers(): Array<string>;
export function identifiers(family: Family, prefix: string, limit: number): IdentifierPage;
export function tools(): Array<string>;
export function retainedOperations(): Array<string>;
export type Unavailable = import('./rea-guide-types.js').Unavailable;
export type Family = import('./rea-guide-types.js').Family;
export interface IdentifierPage {
  values: Array<string>,
  total: bigint,
}
