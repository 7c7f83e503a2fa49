// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
// world root:component/root
import type * as ReaGuideInventory from './interfaces/rea-guide-inventory.js'; // rea:guide/inventory@0.1.0
import type * as ReaGuideSession from './interfaces/rea-guide-session.js'; // rea:guide/session@0.1.0
import type * as ReaGuideTypes from './interfaces/rea-guide-types.js'; // rea:guide/types@0.1.0
import type * as ReaGuidePrompts from './interfaces/rea-guide-prompts.js'; // rea:guide/prompts@0.1.0
import type * as ReaGuideCompletion from './interfaces/rea-guide-completion.js'; // rea:guide/completion@0.1.0
import type * as ReaGuideProcedures from './interfaces/rea-guide-procedures.js'; // rea:guide/procedures@0.1.0
import type * as ReaGuideToggle from './interfaces/rea-guide-toggle.js'; // rea:guide/toggle@0.1.0
export interface ImportObject {
  'rea:guide/inventory@0.1.0': typeof ReaGuideInventory,
  'rea:guide/session@0.1.0': typeof ReaGuideSession,
  'rea:guide/types@0.1.0': typeof ReaGuideTypes,
}
export interface Root {
  'rea:guide/prompts@0.1.0': typeof ReaGuidePrompts,
  prompts: typeof ReaGuidePrompts,
  'rea:guide/completion@0.1.0': typeof ReaGuideCompletion,
  completion: typeof ReaGuideCompletion,
  'rea:guide/procedures@0.1.0': typeof ReaGuideProcedures,
  procedures: typeof ReaGuideProcedures,
  'rea:guide/toggle@0.1.0': typeof ReaGuideToggle,
  toggle: typeof ReaGuideToggle,
}

/**
* Instantiates this component with the provided imports and
* returns a map of all the exports of the component.
*
* This function is intended to be similar to the
* `WebAssembly.Instantiate` constructor. The second `imports`
* argument is the "import object" for wasm, except here it
* uses component-model-layer types instead of core wasm
* integers/numbers/etc.
*
* The first argument to this function, `getCoreModule`, is
* used to compile core wasm modules within the component.
* Components are composed of core wasm modules and this callback
* will be invoked per core wasm module. The caller of this
* function is responsible for reading the core wasm module
* identified by `path` and returning its compiled
* `WebAssembly.Module` object. This would use the
* `WebAssembly.Module` constructor on the web, for example.
*/
export function instantiate(
getCoreModule: (path: string) => WebAssembly.Module,
imports: ImportObject,
instantiateCore?: (module: WebAssembly.Module, imports: Record<string, any>) => WebAssembly.Instance
): Root;

