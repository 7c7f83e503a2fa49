// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
/** @module Interface rea:guide/types@0.1.0 **/
/**
 * # Variants
 * 
 * ## `"no-target"`
 * 
 * ## `"cold"`
 * 
 * ## `"in-transition"`
 * 
 * ## `"unsupported"`
 * 
 * ## `"failed"`
 */
export type Unavailable = 'no-target' | 'cold' | 'in-transition' | 'unsupported' | 'failed';
/**
 * # Variants
 * 
 * ## `"document"`
 * 
 * ## `"procedure"`
 * 
 * ## `"provider"`
 * 
 * ## `"evidence"`
 * 
 * ## `"process-capture"`
 * 
 * ## `"artifact-manifest"`
 * 
 * ## `"artifact-occurrence"`
 * 
 * ## `"residual-unknown"`
 */
export type Family = 'document' | 'procedure' | 'provider' | 'evidence' | 'process-capture' | 'artifact-manifest' | 'artifact-occurrence' | 'residual-unknown';
/**
 * # Variants
 * 
 * ## `"unknown-prompt"`
 * 
 * ## `"missing-argument"`
 * 
 * ## `"blank-argument"`
 * 
 * ## `"malformed-input"`
 * 
 * ## `"out-of-turn"`
 * 
 * ## `"other"`
 */
export type FaultCode = 'unknown-prompt' | 'missing-argument' | 'blank-argument' | 'malformed-input' | 'out-of-turn' | 'other';
export interface Fault {
  code: FaultCode,
  field: string,
  detail: string,
}
