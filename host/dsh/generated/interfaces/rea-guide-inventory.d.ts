// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/inventory@0.1.0 **/
export function places(document: number, first: number): PlacePage;
export function names(document: number, first: number): NamePage;
export interface PlacePage {
  text: string,
  ends: Uint32Array,
}
export type Unavailable = import('./rea-guide-types.js').Unavailable;
export interface NamePage {
  text: string,
  ends: Uint32Array,
  places: Uint32Array,
}
