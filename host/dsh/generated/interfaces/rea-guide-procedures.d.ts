// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/procedures@0.1.0 **/
export function begin(documents: Array<Extent>): void;
export function advance(): Progress;
export type Fault = import('./rea-guide-types.js').Fault;
export interface Extent {
  document: string,
  places: number,
  placeBytes: bigint,
  names: number,
  nameBytes: bigint,
  namingComplete: boolean,
}
export interface Progress {
  doneUnits: bigint,
  allUnits: bigint,
  done: boolean,
}
