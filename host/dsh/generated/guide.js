// Generated from guest/ and wit/ by `cargo xtask dsh`. Not to be edited, nor merged by hand: run it again.
"use components";
export function instantiate(getCoreModule, imports, instantiateCore = (module, importObject) => new WebAssembly.Instance(module, importObject)) {
  
  const emptyFunc = () => {};
  
  let dv = new DataView(new ArrayBuffer());
  const dataView = mem => dv.buffer === mem.buffer ? dv : dv = new DataView(mem.buffer);
  
  function toUint64(val) {
    const converted = BigInt(val)
    
    return BigInt.asUintN(64, converted);
  }
  
  
  function toUint32(val) {
    
    return val >>> 0;
  }
  
  
  function _isValidNumericPrimitive(ty, v) {
    if (v === undefined || v === null) { return false; }
    switch (ty) {
      case 'bool':
      return v === 0 || v === 1;
      break;
      case 'u8':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 255;
      break;
      case 's8':
      return typeof v === 'number' && Number.isInteger(v) && v >= -128 && v <= 127;
      break;
      case 'u16':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 65535;
      break;
      case 's16':
      return typeof v === 'number' && Number.isInteger(v) && v >= -32768 && v <= 32767;
      case 'u32':
      return typeof v === 'number' && Number.isInteger(v) && v >= 0 && v <= 4_294_967_295;
      case 's32':
      return typeof v === 'number' && Number.isInteger(v) && v >= -2_147_483_648 && v <= 2_147_483_647;
      case 'u64':
      return typeof v === 'bigint' && v >= 0 && v <= 18_446_744_073_709_551_615n;
      case 's64':
      return typeof v === 'bigint' && v >= -9223372036854775808n && v <= 9223372036854775807n;
      break;
      case 'f32':
      case 'f64': return typeof v === 'number';
      default:
      return false;
    }
    return true;
  }
  
  function _requireValidNumericPrimitive(ty, v) {
    if (v === undefined  || v === null || !_isValidNumericPrimitive(ty, v)) {
      throw new TypeError(`invalid ${ty} value [${v}]`);
    }
    return true;
  }
  const utf16Decoder = new TextDecoder('utf-16');
  
  const isLE = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;
  
  function _utf16AllocateAndEncode(str, realloc, memory) {
    const len = str.length;
    const ptr = realloc(0, 0, 2, len * 2);
    const out = new Uint16Array(memory.buffer, ptr, len);
    let i = 0;
    if (isLE) {
      while (i < len) { out[i] = str.charCodeAt(i++); }
    } else {
      while (i < len) {
        const ch = str.charCodeAt(i);
        out[i++] = (ch & 0xff) << 8 | ch >>> 8;
      }
    }
    return { ptr, len, codepoints: [...str].length };
  }
  
  const TEXT_DECODER_UTF8 = new TextDecoder();
  const TEXT_ENCODER_UTF8 = new TextEncoder();
  
  function _utf8AllocateAndEncode(s, realloc, memory) {
    if (typeof s !== 'string') {
      throw new TypeError('expected a string, received [' + typeof s + ']');
    }
    if (s.length === 0) { return { ptr: 1, len: 0 }; }
    // Compute the exact allocation size up front. Some older preview1
    // adapters only support an initial allocation, not a subsequent shrink.
    let len = 0;
    let codepoints = 0;
    for (let i = 0; i < s.length; i++) {
      const ch = s.charCodeAt(i);
      codepoints++;
      if (ch < 0x80) { len += 1; }
      else if (ch < 0x800) { len += 2; }
      else if (ch >= 0xd800 && ch <= 0xdbff &&
      i + 1 < s.length &&
      (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        len += 4;
        i++;
      } else { len += 3; }
    }
    const ptr = realloc(0, 0, 1, len);
    const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
    s,
    new Uint8Array(memory.buffer, ptr, len),
    );
    if (read !== s.length || written !== len) {
      throw new Error('failed to encode whole string');
    }
    const res = { ptr, len, codepoints };
    return res;
  }
  
  const T_FLAG = 1 << 30;
  
  function rscTableCreateOwn(table, rep) {
    const free = table[0] & ~T_FLAG;
    table._createdReps.add(rep);
    if (free === 0) {
      table.push(0);
      table.push(rep | T_FLAG);
      return (table.length >> 1) - 1;
    }
    table[0] = table[free << 1];
    table[free << 1] = 0;
    table[(free << 1) + 1] = rep | T_FLAG;
    return free;
  }
  
  const RESOURCE_SCOPE_TASKS = new Map();
  const WebAssemblyRuntimeError = WebAssembly.RuntimeError;
  
  function rscTableRemove(table, handle) {
    const scope = table[handle << 1];
    const val = table[(handle << 1) + 1];
    const own = (val & T_FLAG) !== 0;
    const rep = val & ~T_FLAG;
    if (val === 0 || (scope & T_FLAG) !== 0) {
      // Resource entries occupy scope/rep pairs after the table sentinel.
      throw new WebAssemblyRuntimeError(`unknown handle index ${(handle << 1) + 1}`);
    }
    if (own && scope !== 0) {
      throw new WebAssemblyRuntimeError('cannot remove owned resource while borrowed');
    }
    const borrowTask = own ? undefined : RESOURCE_SCOPE_TASKS.get(scope);
    table[handle << 1] = table[0] | T_FLAG;
    table[0] = handle | T_FLAG;
    borrowTask?.removeBorrowedHandle();
    return { rep, scope, own };
  }
  
  let RESOURCE_SCOPE_ID = 0;
  const ASYNC_TASKS_BY_COMPONENT_IDX = new Map();
  const ASYNC_CURRENT_COMPONENT_IDXS = [];
  
  function getCurrentTask(componentIdx, taskID) {
    let usedGlobal = false;
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing component idx'); // TODO(fix)
      // componentIdx = ASYNC_CURRENT_COMPONENT_IDXS.at(-1);
      // usedGlobal = true;
    }
    
    const taskMetas = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    if (taskMetas === undefined || taskMetas.length === 0) { return undefined; }
    
    if (taskID) {
      return taskMetas.find(meta => meta.task.id() === taskID);
    }
    
    const taskMeta = taskMetas[taskMetas.length - 1];
    if (!taskMeta || !taskMeta.task) { return undefined; }
    
    return taskMeta;
  }
  const ASYNC_CURRENT_TASK_IDS = [];
  
  const _debugLog = (...args) => {
    if (!globalThis?.process?.env?.JCO_DEBUG) { return; }
    console.debug(...args);
  };
  
  function clearCurrentTask(componentIdx, taskID) {
    _debugLog('[clearCurrentTask()] args', { componentIdx, taskID });
    
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing/invalid component instance index while ending current task');
    }
    
    const tasks = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    if (!tasks || !Array.isArray(tasks)) {
      throw new Error('missing/invalid tasks for component instance while ending task');
    }
    if (tasks.length == 0) {
      throw new Error(`no current tasks for component instance [${componentIdx}] while ending task`);
    }
    
    if (taskID !== undefined) {
      const last = tasks[tasks.length - 1];
      if (last.id !== taskID) {
        // throw new Error('current task does not match expected task ID');
        return;
      }
    }
    
    ASYNC_CURRENT_TASK_IDS.pop();
    ASYNC_CURRENT_COMPONENT_IDXS.pop();
    
    const taskMeta = tasks.pop();
    return taskMeta.task;
  }
  const ASYNC_STATE = new Map();
  
  function promiseWithResolvers() {
    if (Promise.withResolvers) {
      return Promise.withResolvers();
    } else {
      let resolve;
      let reject;
      const promise = new Promise((res, rej) => {
        resolve = res;
        reject = rej;
      });
      return { promise, resolve, reject };
    }
  }
  
  class Waitable {
    #componentIdx;
    
    #pendingEventFn = null;
    
    #promise;
    #resolve;
    #reject;
    
    #waitableSet = null;
    
    #hasSyncWaiter = false;
    
    #idx = null; // to component-global waitables
    
    target;
    
    constructor(args) {
      const { componentIdx, target } = args;
      this.#componentIdx = componentIdx;
      this.target = args.target;
      this.#resetPromise();
    }
    
    componentIdx() { return this.#componentIdx; }
    isInSet() { return this.#waitableSet !== null; }
    
    idx() { return this.#idx; }
    setIdx(idx) {
      if (idx === 0) { throw new Error("waitable idx cannot be zero"); }
      this.#idx = idx;
    }
    
    setTarget(tgt) { this.target = tgt; }
    
    #resetPromise() {
      const { promise, resolve, reject } = promiseWithResolvers()
      this.#promise = promise;
      this.#resolve = resolve;
      this.#reject = reject;
    }
    
    resolve() { this.#resolve(); }
    reject(err) { this.#reject(err); }
    promise() { return this.#promise; }
    
    hasPendingEvent() {
      // _debugLog('[Waitable#hasPendingEvent()]', {
        //     componentIdx: this.#componentIdx,
        //     waitable: this,
        //     waitableSet: this.#waitableSet,
        //     hasPendingEvent: this.#pendingEventFn !== null,
        // });
        return this.#pendingEventFn !== null;
      }
      
      setPendingEvent(fn) {
        _debugLog('[Waitable#setPendingEvent()] args', {
          waitable: this,
          inSet: this.#waitableSet,
        });
        this.#pendingEventFn = fn;
      }
      
      getPendingEvent() {
        _debugLog('[Waitable#getPendingEvent()] args', {
          waitable: this,
          inSet: this.#waitableSet,
          hasPendingEvent: this.#pendingEventFn !== null,
        });
        if (this.#pendingEventFn === null) { return null; }
        const eventFn = this.#pendingEventFn;
        this.#pendingEventFn = null;
        const e = eventFn();
        this.#resetPromise();
        return e;
      }
      
      join(waitableSet) {
        _debugLog('[Waitable#join()] args', {
          waitable: this,
          waitableSet: waitableSet,
          isRemoval: waitableSet === null,
        });
        
        if (this.#waitableSet === undefined) {
          throw new TypeError('waitable set must be not be undefined');
        }
        
        if (this.#waitableSet) {
          this.#waitableSet.removeWaitable(this);
        }
        
        this.#waitableSet = waitableSet;
        
        if (waitableSet) {
          this.#waitableSet.addWaitable(this);
        }
      }
      
      drop() {
        _debugLog('[Waitable#drop()] args', {
          componentIdx: this.#componentIdx,
          waitable: this,
        });
        if (this.hasPendingEvent()) {
          throw new Error('waitables with pending events cannot be dropped');
        }
        this.join(null);
      }
      
      async waitForPendingEvent(args) {
        const { cstate } = args;
        if (!cstate) { throw new TypeError('missing component state'); }
        
        if (this.#waitableSet !== null || this.#hasSyncWaiter) {
          throw new Error("waitable is already in a set/has a sync waiter");
        }
        this.#hasSyncWaiter = true;
        await cstate.waitUntil({
          cancellable: false,
          readyFn: () => this.hasPendingEvent(),
        });
        this.#hasSyncWaiter = false;
      }
      
    }
    const INSTANCE_FLAGS = new Map();
    const STORE_TRAP = { error: null };
    const STORE_ASYNC_STATE = { deadlockCheck: null, pendingHostOperations: 0 };
    
    function _checkForDeadlock() {
      if (STORE_ASYNC_STATE.deadlockCheck !== null || STORE_TRAP.error !== null) { return; }
      STORE_ASYNC_STATE.deadlockCheck = setTimeout(() => {
        STORE_ASYNC_STATE.deadlockCheck = null;
        if (STORE_TRAP.error !== null || STORE_ASYNC_STATE.pendingHostOperations > 0) { return; }
        
        const suspendedTasks = new Set();
        for (const state of ASYNC_STATE.values()) {
          if (state.hasPendingSchedulerWork()) {
            state.runTickLoop();
            return;
          }
          for (const meta of state.suspendedTaskMetas()) {
            suspendedTasks.add(meta.task);
          }
        }
        
        const unresolvedRoots = new Set();
        for (const task of suspendedTasks) {
          const root = task.getRootTask();
          if (!root.isResolvedState()) { unresolvedRoots.add(root); }
        }
        if (unresolvedRoots.size === 0) { return; }
        
        const err = new WebAssemblyRuntimeError('wasm trap: deadlock detected: event loop cannot make further progress');
        // Which tasks were waiting, and on whose behalf. The message stays
        // exactly what the Canonical ABI calls for, so this rides alongside
        // it: a deadlock reported from a real program is otherwise a bare
        // sentence, and the state that produced it is gone by the time
        // anyone reads the failure.
        err.deadlockDetail = {
          pendingHostOperations: STORE_ASYNC_STATE.pendingHostOperations,
          suspendedTasks: [...suspendedTasks].map((task) => ({
            taskID: task.id(),
            componentIdx: task.componentIdx(),
            state: task.taskState(),
            rootTaskID: task.getRootTask().id(),
          })),
          unresolvedRootTaskIDs: [...unresolvedRoots].map((root) => root.id()),
        };
        STORE_TRAP.error = err;
        for (const root of unresolvedRoots) {
          root.setErrored(err);
          root.reject(err);
        }
        for (const task of suspendedTasks) {
          if (!task.isResolvedState() && unresolvedRoots.has(task.getRootTask())) {
            task.setErrored(err);
            task.reject(err);
          }
        }
        for (const state of ASYNC_STATE.values()) { state.runTickLoop(); }
      }, 0);
    }
    
    const CORE_TRAP_MESSAGES = new Map([
    ['unreachable', "wasm trap: wasm `unreachable` instruction executed"],
    ['memory access out of bounds', "wasm trap: out of bounds memory access"],
    ['divide by zero', "wasm trap: integer divide by zero"],
    ['remainder by zero', "wasm trap: integer divide by zero"],
    ['divide result unrepresentable', "wasm trap: integer overflow"],
    ['float unrepresentable in integer range', "wasm trap: invalid conversion to integer"],
    ['table index is out of bounds', "wasm trap: undefined element: out of bounds table access"],
    ['function signature mismatch', "wasm trap: indirect call type mismatch"],
    ['call stack exhausted', "wasm trap: call stack exhausted"],
    ]);
    function _normalizeCoreTrap(err) {
      if (!(err instanceof WebAssemblyRuntimeError)) { return err; }
      const message = CORE_TRAP_MESSAGES.get(err.message);
      if (message !== undefined) { err.message = message; }
      return err;
    }
    
    class RepTable {
      // Sentinel marking a freed slot; the freelist link for a freed slot
      // lives in the odd cell. This keeps get()/contains()/remove() on freed
      // reps well-defined (previously they returned/corrupted freelist links).
      static FREE = Symbol('RepTable.free');
      
      #data = [0, null];
      #size = 0;
      #target;
      
      constructor(args) {
        this.target = args?.target;
      }
      
      data() { return this.#data; }
      
      insert(val) {
        _debugLog('[RepTable#insert()] args', { val, target: this.target });
        const freeIdx = this.#data[0];
        if (freeIdx === 0) {
          this.#data.push(val);
          this.#data.push(null);
          const rep = (this.#data.length >> 1) - 1;
          _debugLog('[RepTable#insert()] inserted', { val, target: this.target, rep });
          this.#size += 1;
          return rep;
        }
        const placementIdx = freeIdx << 1;
        if (this.#data[placementIdx] !== RepTable.FREE) {
          throw new Error('corrupt rep table freelist: head does not point at a freed slot');
        }
        this.#data[0] = this.#data[placementIdx + 1];
        this.#data[placementIdx] = val;
        this.#data[placementIdx + 1] = null;
        _debugLog('[RepTable#insert()] inserted', { val, target: this.target, rep: freeIdx });
        this.#size += 1;
        return freeIdx;
      }
      
      get(rep) {
        _debugLog('[RepTable#get()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during get, (cannot be 0)'); }
        
        const baseIdx = rep << 1;
        const val = this.#data[baseIdx];
        if (val === RepTable.FREE) { return undefined; }
        return val;
      }
      
      contains(rep) {
        _debugLog('[RepTable#contains()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during contains, (cannot be 0)'); }
        
        const baseIdx = rep << 1;
        const val = this.#data[baseIdx];
        return val !== RepTable.FREE && !!val;
      }
      
      remove(rep) {
        _debugLog('[RepTable#remove()] args', { rep, target: this.target });
        if (rep === 0) { throw new Error('invalid resource rep during remove, (cannot be 0)'); }
        if (this.#data.length === 2) { throw new Error('invalid'); }
        
        const baseIdx = rep << 1;
        if (baseIdx >= this.#data.length) {
          throw new Error(`invalid rep [${rep}] during remove, out of range`);
        }
        const val = this.#data[baseIdx];
        if (val === RepTable.FREE) {
          throw new Error(`double removal of rep [${rep}] (already freed)`);
        }
        
        this.#data[baseIdx] = RepTable.FREE;
        this.#data[baseIdx + 1] = this.#data[0];
        this.#data[0] = rep;
        this.#size -= 1;
        
        return val;
      }
      
      size() { return this.#size; }
      
      clear() {
        _debugLog('[RepTable#clear()] args', { rep, target: this.target });
        this.#data = [0, null];
      }
    }
    
    class ComponentAsyncState {
      static EVENT_HANDLER_EVENTS = [ 'backpressure-change' ];
      
      static TickResult = {
        // no suspended tasks remain
        DONE: 'done',
        // a suspended task was resumed (more may be ready)
        RESUMED: 'resumed',
        // suspended tasks remain but none were ready
        IDLE: 'idle',
      };
      
      #componentIdx;
      #callingAsyncImport = false;
      #syncImportWait = promiseWithResolvers();
      #lockHolderTaskID = null;
      #lockWaiters = [];
      #lockHandoffScheduled = false;
      #pendingTaskStarts = 0;
      #parkedTasks = new Map();
      #suspendedTasksByTaskID = new Map();
      #suspendedTaskIDs = [];
      #errored = null;
      #trapped = false;
      #backpressure = 0;
      #backpressureWaiters = 0n;
      
      #handlerMap = new Map();
      #nextHandlerID = 0n;
      
      #tickLoop = null;
      #tickLoopInterval = null;
      
      #onExclusiveReleaseHandlers = [];
      
      #mayLeave = true;
      
      handles;
      subtasks;
      
      constructor(args) {
        this.#componentIdx = args.componentIdx;
        this.handles = new RepTable({ target: `component [${this.#componentIdx}] handles (waitable objects)` });
        this.subtasks = new RepTable({ target: `component [${this.#componentIdx}] subtasks` });
      };
      
      componentIdx() { return this.#componentIdx; }
      
      get mayLeave() {
        const flags = INSTANCE_FLAGS.get(this.#componentIdx);
        return flags === undefined ? this.#mayLeave : flags.value === 1;
      }
      set mayLeave(value) {
        if (typeof value !== 'boolean') { throw new TypeError('mayLeave must be a boolean'); }
        this.#mayLeave = value;
        const flags = INSTANCE_FLAGS.get(this.#componentIdx);
        if (flags !== undefined) { flags.value = value ? 1 : 0; }
      }
      
      errored() { return this.#errored !== null; }
      setErrored(err) {
        _debugLog('[ComponentAsyncState#setErrored()] component errored', { err, componentIdx: this.#componentIdx });
        if (this.#errored) { return; }
        if (!err) {
          err = new Error('error elswehere (see other component instance error)')
          err.componentIdx = this.#componentIdx;
        }
        this.#errored = err;
      }
      
      markTrapped(err) {
        if (!(err instanceof WebAssemblyRuntimeError)) {
          return false;
        }
        err = _normalizeCoreTrap(err);
        this.#trapped = true;
        _debugLog('[ComponentAsyncState#markTrapped()] component trapped', { err, componentIdx: this.#componentIdx });
        if (STORE_TRAP.error === null) { STORE_TRAP.error = err; }
        return true;
      }
      
      throwIfTrapped() {
        if (this.#trapped) {
          throw new WebAssemblyRuntimeError("wasm trap: cannot enter component instance");
        }
      }
      
      callingSyncImport(val) {
        if (val === undefined) { return this.#callingAsyncImport; }
        if (typeof val !== 'boolean') { throw new TypeError('invalid setting for async import'); }
        const prev = this.#callingAsyncImport;
        this.#callingAsyncImport = val;
        if (prev === true && this.#callingAsyncImport === false) {
          this.#notifySyncImportEnd();
        }
      }
      
      #notifySyncImportEnd() {
        const existing = this.#syncImportWait;
        this.#syncImportWait = promiseWithResolvers();
        existing.resolve();
      }
      
      async waitForSyncImportCallEnd() {
        await this.#syncImportWait.promise;
      }
      
      setBackpressure(v) {
        this.#backpressure = v;
        return this.#backpressure
      }
      getBackpressure() { return this.#backpressure; }
      
      incrementBackpressure() {
        const current = this.#backpressure;
        if (current < 0 || current > 2**16) {
          throw new Error(`invalid current backpressure value [${current}]`);
        }
        const newValue = this.getBackpressure() + 1;
        if (newValue >= 2**16) {
          throw new Error(`invalid new backpressure value [${newValue}], overflow`);
        }
        return this.setBackpressure(newValue);
      }
      
      decrementBackpressure() {
        const current = this.#backpressure;
        if (current < 0 || current > 2**16) {
          throw new Error(`invalid current backpressure value [${current}]`);
        }
        const newValue = Math.max(0, current - 1);
        if (newValue < 0) {
          throw new Error(`invalid new backpressure value [${newValue}], underflow`);
        }
        return this.setBackpressure(newValue);
      }
      hasBackpressure() { return this.#backpressure > 0; }
      
      waitForBackpressure() {
        let backpressureCleared = false;
        const cstate = this;
        cstate.addBackpressureWaiter();
        const handlerID = this.registerHandler({
          event: 'backpressure-change',
          fn: (bp) => {
            if (bp === 0) {
              cstate.removeHandler(handlerID);
              backpressureCleared = true;
            }
          }
        });
        return new Promise((resolve) => {
          const interval = setInterval(() => {
            if (backpressureCleared) { return; }
            clearInterval(interval);
            cstate.removeBackpressureWaiter();
            resolve(null);
          }, 0);
        });
      }
      
      registerHandler(args) {
        const { event, fn } = args;
        if (!event) { throw new Error("missing handler event"); }
        if (!fn) { throw new Error("missing handler fn"); }
        
        if (!ComponentAsyncState.EVENT_HANDLER_EVENTS.includes(event)) {
          throw new Error(`unrecognized event handler [${event}]`);
        }
        
        const handlerID = this.#nextHandlerID++;
        let handlers = this.#handlerMap.get(event);
        if (!handlers) {
          handlers = [];
          this.#handlerMap.set(event, handlers)
        }
        
        handlers.push({ id: handlerID, fn, event });
        return handlerID;
      }
      
      removeHandler(args) {
        const { event, handlerID } = args;
        const registeredHandlers = this.#handlerMap.get(event);
        if (!registeredHandlers) { return; }
        const found = registeredHandlers.find(h => h.id === handlerID);
        if (!found) { return; }
        this.#handlerMap.set(event, this.#handlerMap.get(event).filter(h => h.id !== handlerID));
      }
      
      getBackpressureWaiters() { return this.#backpressureWaiters; }
      addBackpressureWaiter() { this.#backpressureWaiters++; }
      removeBackpressureWaiter() {
        this.#backpressureWaiters--;
        if (this.#backpressureWaiters < 0) {
          throw new Error("unexepctedly negative number of backpressure waiters");
        }
      }
      
      // The per-slice mutual-exclusion lock for guest execution in this
      // component instance. Guest slices (callback invocations and
      // sync-lifted bodies) must be atomic per component even across the
      // JSPI suspensions jco introduces for host imports: wit-bindgen's
      // executors publish per-task state in single linear-memory cells
      // (the wasip3-task pointer, context-local storage discipline) that
      // an interleaved slice of the same component corrupts
      //
      // The lock is *owned*: acquisition records the holder task and
      // release is a no-op for anyone else, so a task exiting can no
      // longer drop a hold it does not own (blind acquire/release-any
      // was the previous discipline). Contended acquisition queues
      // FIFO; release hands the lock to the next waiter directly.
      isExclusivelyLocked() { return this.#lockHolderTaskID !== null; }
      exclusivelyLockedBy(taskID) { return this.#lockHolderTaskID === taskID; }
      
      exclusiveLock(taskID) {
        _debugLog('[ComponentAsyncState#exclusiveLock()]', {
          holder: this.#lockHolderTaskID,
          requester: taskID,
          componentIdx: this.#componentIdx,
        });
        if (taskID === undefined || taskID === null) {
          throw new Error('exclusive lock requires the acquiring task id');
        }
        if (this.#lockHolderTaskID !== null) {
          throw new Error(`component [${this.#componentIdx}] exclusive lock held by task [${this.#lockHolderTaskID}], requested by [${taskID}]`);
        }
        this.#lockHolderTaskID = taskID;
      }
      
      // Awaitable acquisition: takes the lock immediately when free,
      // otherwise queues FIFO behind the current holder and earlier
      // waiters. The resolved promise implies ownership.
      acquireExclusiveLock(taskID) {
        if (taskID === undefined || taskID === null) {
          throw new Error('exclusive lock requires the acquiring task id');
        }
        if (this.#lockHolderTaskID === null) {
          this.#lockHolderTaskID = taskID;
          _debugLog('[ComponentAsyncState#acquireExclusiveLock()] acquired', {
            holder: taskID,
            componentIdx: this.#componentIdx,
          });
          return;
        }
        if (this.#lockHolderTaskID === taskID) {
          throw new Error(`task [${taskID}] already holds the lock for component [${this.#componentIdx}]`);
        }
        _debugLog('[ComponentAsyncState#acquireExclusiveLock()] waiting', {
          holder: this.#lockHolderTaskID,
          requester: taskID,
          componentIdx: this.#componentIdx,
          queued: this.#lockWaiters.length,
        });
        return new Promise((resolve) => {
          this.#lockWaiters.push({ taskID, resolve });
        });
      }
      
      exclusiveRelease(taskID) {
        _debugLog('[ComponentAsyncState#exclusiveRelease()] args', {
          holder: this.#lockHolderTaskID,
          releaser: taskID,
          componentIdx: this.#componentIdx,
        });
        if (this.#lockHolderTaskID !== taskID) {
          // Ownerless releases were the historical behavior; a foreign
          // release now leaves the hold intact
          _debugLog('[ComponentAsyncState#exclusiveRelease()] ignoring foreign release', {
            holder: this.#lockHolderTaskID,
            releaser: taskID,
            componentIdx: this.#componentIdx,
          });
          return false;
        }
        
        // Make the release observable before handing the lock to the next
        // asynchronous guest slice.
        //
        // Release handlers may expose a lifted value whose consumer immediately
        // performs a synchronous call on the same component; that call must run
        // while the instance is genuinely unlocked, not via enterSync's
        // lock-free fallback code.
        this.#lockHolderTaskID = null;
        
        this.#onExclusiveReleaseHandlers = this.#onExclusiveReleaseHandlers.filter(v => !!v);
        for (const [idx, f] of this.#onExclusiveReleaseHandlers.entries()) {
          try {
            this.#onExclusiveReleaseHandlers[idx] = null;
            f();
          } catch (err) {
            _debugLog("error while executing handler for next exclusive release", err);
            throw err;
          }
        }
        this.#scheduleLockHandoff();
        return true;
      }
      
      #scheduleLockHandoff() {
        if (this.#lockHandoffScheduled || this.#lockWaiters.length === 0) { return; }
        this.#lockHandoffScheduled = true;
        queueMicrotask(() => {
          this.#lockHandoffScheduled = false;
          // A synchronous call triggered by a release handler gets the
          // first opportunity to use the unlocked component.
          //
          // Its release will leave this queued handoff in place.
          if (this.#lockHolderTaskID !== null) {
            this.#scheduleLockHandoff();
            return;
          }
          const next = this.#lockWaiters.shift();
          if (!next) { return; }
          this.#lockHolderTaskID = next.taskID;
          next.resolve();
        });
      }
      
      onNextExclusiveRelease(fn) {
        _debugLog('[ComponentAsyncState#()onNextExclusiveRelease] registering');
        this.#onExclusiveReleaseHandlers.push(fn);
      }
      
      async waitForExclusiveRelease() {
        while (this.isExclusivelyLocked()) {
          await new Promise(resolve => this.onNextExclusiveRelease(resolve));
        }
      }
      
      #getSuspendedTaskMeta(taskID) {
        return this.#suspendedTasksByTaskID.get(taskID);
      }
      
      #removeSuspendedTaskMeta(taskID) {
        _debugLog('[ComponentAsyncState#removeSuspendedTaskMeta()] removing suspended task', {
          taskID,
          componentIdx: this.#componentIdx,
        });
        const idx = this.#suspendedTaskIDs.findIndex(t => t === taskID);
        const meta = this.#suspendedTasksByTaskID.get(taskID);
        this.#suspendedTaskIDs[idx] = null;
        this.#suspendedTasksByTaskID.delete(taskID);
        return meta;
      }
      
      #addSuspendedTaskMeta(meta) {
        if (!meta) { throw new Error('missing task meta'); }
        const taskID = meta.taskID;
        this.#suspendedTasksByTaskID.set(taskID, meta);
        this.#suspendedTaskIDs.push(taskID);
        if (this.#suspendedTasksByTaskID.size < this.#suspendedTaskIDs.length - 10) {
          this.#suspendedTaskIDs = this.#suspendedTaskIDs.filter(t => t !== null);
        }
      }
      
      // TODO(threads): readyFn is normally on the thread
      suspendTask(args) {
        const { task, readyFn, cancellable, onResume } = args;
        const taskID = task.id();
        const componentIdx = task.componentIdx();
        _debugLog('[ComponentAsyncState#suspendTask()]', {
          taskID,
          componentIdx: this.#componentIdx,
          taskEntryFnName: task.entryFnName(),
          subtask: task.getParentSubtask(),
        });
        
        if (componentIdx !== this.#componentIdx) {
          throw new Error('assert: task component idx should match async state');
        }
        
        if (this.#getSuspendedTaskMeta(taskID)) {
          throw new Error(`task [${taskID}] already suspended`);
        }
        
        let promise;
        let resume;
        if (onResume) {
          resume = () => onResume(!task.isCancelled());
        } else {
          const resolvers = promiseWithResolvers();
          promise = resolvers.promise;
          resume = () => resolvers.resolve(!task.isCancelled());
        }
        this.#addSuspendedTaskMeta({
          task,
          taskID,
          cancellable,
          readyFn,
          resume: () => {
            _debugLog('[ComponentAsyncState] resuming suspended task', {
              taskID,
              componentIdx: this.#componentIdx,
            });
            // TODO(threads): it's thread cancellation we should be checking for below, not task
            resume();
          },
        });
        
        // A caller synchronously driving one task quantum (for
        // example, subtask.cancel) waits for the resumed task to
        // either resolve or suspend again.
        task.notifyProgress();
        
        this.runTickLoop();
        _checkForDeadlock();
        
        return promise;
      }
      
      resumeTaskByID(taskID) {
        const meta = this.#removeSuspendedTaskMeta(taskID);
        if (!meta) { return false; }
        if (meta.taskID !== taskID) { throw new Error('task ID does not match'); }
        meta.resume();
        return true;
      }
      
      suspendedTaskReady(taskID) {
        const meta = this.#getSuspendedTaskMeta(taskID);
        if (!meta) { return false; }
        if (!meta.readyFn) {
          throw new Error(`suspended task [${taskID}] is missing a readiness function`);
        }
        return meta.task.isRejected() || meta.readyFn();
      }
      
      suspendedTaskCancellable(taskID) {
        return !!this.#getSuspendedTaskMeta(taskID)?.cancellable;
      }
      
      isTaskSuspended(taskID) {
        return this.#suspendedTasksByTaskID.has(taskID);
      }
      
      suspendedTaskMetas() {
        return this.#suspendedTasksByTaskID.values();
      }
      
      addPendingTaskStart() { this.#pendingTaskStarts++; }
      removePendingTaskStart() { this.#pendingTaskStarts--; }
      
      hasPendingSchedulerWork() {
        if (this.#pendingTaskStarts > 0) { return true; }
        if (this.#lockHandoffScheduled) { return true; }
        for (const meta of this.#suspendedTasksByTaskID.values()) {
          if (meta.task.isRejected() || meta.readyFn()) { return true; }
        }
        return false;
      }
      
      async runTickLoop() {
        if (this.#tickLoop !== null) { return; }
        this.#tickLoop = 1;
        setTimeout(async () => {
          let result = this.tick();
          while (result !== ComponentAsyncState.TickResult.DONE) {
            if (result === ComponentAsyncState.TickResult.IDLE) {
              _checkForDeadlock();
            }
            // After resuming a task, re-tick as soon as the resumed
            // slice's microtask continuations have drained (timeout 0)
            // so queued sibling resumptions aren't charged the idle
            // polling interval; otherwise poll at the idle cadence.
            const delay = result === ComponentAsyncState.TickResult.RESUMED ? 0 : 10;
            await new Promise((resolve) => setTimeout(resolve, delay));
            result = this.tick();
          }
          this.#tickLoop = null;
        }, 10);
      }
      
      tick() {
        // _debugLog('[ComponentAsyncState#tick()]', { suspendedTaskIDs: this.#suspendedTaskIDs });
        
        const resumableTasks = this.#suspendedTaskIDs.filter(t => t !== null);
        for (const taskID of resumableTasks) {
          const meta = this.#suspendedTasksByTaskID.get(taskID);
          if (!meta || !meta.readyFn) {
            throw new Error(`missing/invalid task despite ID [${taskID}] being present`);
          }
          
          // If the task failed via any means, allow the task to resume because
          // it's been cancelled -- the callback should immediately exit as well
          if (meta.task.isRejected()) {
            _debugLog('[ComponentAsyncState#tick()] detected task rejection, leaving early', { meta });
            this.resumeTaskByID(taskID);
            return ComponentAsyncState.TickResult.RESUMED;
          }
          
          const isReady = meta.readyFn();
          if (!isReady) { continue; }
          
          _debugLog('[ComponentAsyncState#tick()] resuming task via tick', {
            taskID,
            componentIdx: this.#componentIdx,
          });
          this.resumeTaskByID(taskID);
          
          // NOTE: during single-flight resumption, we should resume at most one task per
          // tick so that the resumed slice (a microtask continuation)
          // runs -- and its current-task register window opens and
          // closes -- before any sibling task of this component is
          // resumed.
          //
          // Resuming multiple suspended tasks in one synchronous
          // cascade interleaves their register save/restore windows
          // ([restoreA, restoreB, resumeA, resumeB]), re-entering wasm
          // with the register naming the wrong task, and the
          // 'known residual' of the JSPI current-task register
          // fix); with concurrent task lifetimes per component this
          // corrupts guest context-local storage.
          return ComponentAsyncState.TickResult.RESUMED;
        }
        
        const idle = this.#suspendedTaskIDs.filter(t => t !== null).length > 0;
        return idle
        ? ComponentAsyncState.TickResult.IDLE
        : ComponentAsyncState.TickResult.DONE;
      }
      
      createWaitable(args) {
        return new Waitable({ target: args?.target, });
      }
    }
    
    function getOrCreateAsyncState(componentIdx, init) {
      if (!ASYNC_STATE.has(componentIdx)) {
        const newState = new ComponentAsyncState({ componentIdx });
        ASYNC_STATE.set(componentIdx, newState);
      }
      return ASYNC_STATE.get(componentIdx);
    }
    const GLOBAL_COMPONENT_MEMORY_MAP = new Map();
    
    function lookupMemoriesForComponent(args) {
      const { componentIdx } = args ?? {};
      if (args.componentIdx === undefined) { throw new TypeError("missing component idx"); }
      
      const metas = GLOBAL_COMPONENT_MEMORY_MAP.get(componentIdx);
      if (!metas) { return []; }
      
      if (args.memoryIdx === undefined) {
        return Object.values(metas);
      }
      
      const meta = metas[args.memoryIdx];
      return meta?.memory;
    }
    
    class AsyncSubtask {
      static _ID = 0n;
      
      static State = {
        STARTING: 0,
        STARTED: 1,
        RETURNED: 2,
        CANCELLED_BEFORE_STARTED: 3,
        CANCELLED_BEFORE_RETURNED: 4,
      };
      
      #id;
      #state = AsyncSubtask.State.STARTING;
      #componentIdx;
      
      #parentTask;
      #childTask = null;
      
      #dropped = false;
      #cancelRequested = false;
      
      #memoryIdx = null;
      #lenders = null;
      
      #waitable = null;
      
      #callbackFn = null;
      #callbackFnName = null;
      
      #postReturnFn = null;
      #onProgressFn = null;
      #pendingEventFn = null;
      
      #callMetadata = {};
      
      #resolved = false;
      
      #onResolveHandlers = [];
      #onStartHandlers = [];
      
      #result = null;
      #resultSet = false;
      
      fnName;
      target;
      isAsync;
      isManualAsync;
      // One execution slice awaited by the conditional cancel trampoline.
      cancelProgress = null;
      
      constructor(args) {
        if (typeof args.componentIdx !== 'number') {
          throw new Error('invalid componentIdx for subtask creation');
        }
        this.#componentIdx = args.componentIdx;
        
        this.#id = ++AsyncSubtask._ID;
        this.fnName = args.fnName;
        
        if (!args.parentTask) { throw new Error('missing parent task during subtask creation'); }
        this.#parentTask = args.parentTask;
        
        if (args.childTask) { this.#childTask = args.childTask; }
        
        if (args.memoryIdx) { this.#memoryIdx = args.memoryIdx; }
        
        if (!args.waitable) { throw new Error("missing/invalid waitable"); }
        this.#waitable = args.waitable;
        
        if (args.callMetadata) { this.#callMetadata = args.callMetadata; }
        
        this.#lenders = [];
        this.target = args.target;
        this.isAsync = args.isAsync;
        this.isManualAsync = args.isManualAsync;
      }
      
      id() { return this.#id; }
      parentTaskID() { return this.#parentTask?.id(); }
      childTaskID() { return this.#childTask?.id(); }
      state() { return this.#state; }
      
      waitable() { return this.#waitable; }
      waitableRep() { return this.#waitable.idx(); }
      
      join() { return this.#waitable.join(...arguments); }
      getPendingEvent() { return this.#waitable.getPendingEvent(...arguments); }
      hasPendingEvent() { return this.#waitable.hasPendingEvent(...arguments); }
      setPendingEvent() { return this.#waitable.setPendingEvent(...arguments); }
      
      setTarget(tgt) { this.target = tgt; }
      
      getResult() {
        if (!this.#resultSet) { throw new Error("subtask result has not been set") }
        return this.#result;
      }
      setResult(v) {
        if (this.#resultSet) { throw new Error("subtask result has already been set"); }
        this.#result = v;
        this.#resultSet = true;
      }
      
      componentIdx() { return this.#componentIdx; }
      
      setChildTask(t) {
        if (!t) { throw new Error('cannot set missing/invalid child task on subtask'); }
        if (this.#childTask) { throw new Error('child task is already set on subtask'); }
        if (this.#parentTask === t) { throw new Error("parent cannot be child"); }
        this.#childTask = t;
      }
      getChildTask(t) { return this.#childTask; }
      
      getParentTask() { return this.#parentTask; }
      
      setCallbackFn(f, name) {
        if (!f) { return; }
        if (this.#callbackFn) { throw new Error('callback fn can only be set once'); }
        this.#callbackFn = f;
        this.#callbackFnName = name;
      }
      
      getCallbackFnName() {
        if (!this.#callbackFn) { return undefined; }
        return this.#callbackFn.name;
      }
      
      setPostReturnFn(f) {
        if (!f) { return; }
        if (this.#postReturnFn) { throw new Error('postReturn fn can only be set once'); }
        this.#postReturnFn = f;
      }
      
      setOnProgressFn(f) {
        if (this.#onProgressFn) { throw new Error('on progress fn can only be set once'); }
        this.#onProgressFn = f;
      }
      
      isNotStarted() {
        return this.#state == AsyncSubtask.State.STARTING;
      }
      
      cancellationRequested() { return this.#cancelRequested; }
      
      // Request cooperative cancellation of this subtask, on behalf of the
      // supertask (i.e. `canon subtask.cancel`).
      //
      // If the callee is another guest task, the request is delivered to it and
      // the callee confirms via `task.cancel` (or still resolves via `task.return`).
      //
      // If the callee is a host function there is (currently) no host-side
      // cancellation hook, so the pending call is treated as immediately
      // cancelled -- consistent with hosts being expected to resolve
      // cancellation promptly -- and any later host resolution is discarded
      // (see `AsyncTask#onResolve`).
      requestCancellation() {
        _debugLog('[AsyncSubtask#requestCancellation()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          state: this.#state,
          childTaskID: this.childTaskID(),
          fnName: this.fnName,
        });
        if (this.#cancelRequested) {
          throw new Error('cancellation has already been requested for this subtask');
        }
        this.#cancelRequested = true;
        
        if (this.#resolved) { return; }
        
        if (this.#childTask) {
          this.#childTask.requestCancellation();
          return;
        }
        
        this.onResolve(null);
      }
      
      registerOnStartHandler(f) {
        this.#onStartHandlers.push(f);
      }
      
      onStart(args) {
        _debugLog('[AsyncSubtask#onStart()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          parentTaskID: this.parentTaskID(),
          fnName: this.fnName,
          args,
        });
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        // Starting a nested operation is a task execution boundary.
        // In particular, a cancellation handler may synchronously
        // enter an import which then suspends in the host.  Wake a
        // supertask that is driving one cancellation slice so an
        // async `subtask.cancel` can report BLOCKED without waiting
        // for that nested operation to finish.
        this.#parentTask.notifyProgress();
        
        this.#state = AsyncSubtask.State.STARTED;
        
        let result;
        
        // If we have been provided a helper start function as a result of
        // component fusion performed by wasmtime tooling, then we can call that helper and lifts/lowers will
        // be performed for us.
        //
        // See also documentation on `HostIntrinsic::PrepareCall`
        //
        if (this.#callMetadata.startFn) {
          result = this.#callMetadata.startFn.apply(null, args?.startFnParams ?? []);
        }
        
        return result;
      }
      
      
      registerOnResolveHandler(f) {
        this.#onResolveHandlers.push(f);
      }
      
      reject(subtaskErr) {
        if (this.#resolved) { return; }
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        if (this.#state === AsyncSubtask.State.STARTING) {
          this.#state = AsyncSubtask.State.CANCELLED_BEFORE_STARTED;
        } else if (this.#state === AsyncSubtask.State.STARTED) {
          this.#state = AsyncSubtask.State.CANCELLED_BEFORE_RETURNED;
        } else {
          throw new Error('cannot reject a completed subtask');
        }
        
        this.#resolved = true;
        this.#parentTask.removeSubtask(this);
        this.#parentTask.reject(subtaskErr);
      }
      
      onResolve(subtaskValue) {
        _debugLog('[AsyncSubtask#onResolve()] args', {
          componentIdx: this.#componentIdx,
          subtaskID: this.#id,
          isAsync: this.isAsync,
          childTaskID: this.childTaskID(),
          parentTaskID: this.parentTaskID(),
          parentTaskFnName: this.#parentTask?.entryFnName(),
          fnName: this.fnName,
        });
        
        if (this.#resolved) {
          throw new Error('subtask has already been resolved');
        }
        
        if (this.#onProgressFn) { this.#onProgressFn(); }
        
        if (subtaskValue === null && this.#cancelRequested) {
          if (this.#state === AsyncSubtask.State.STARTING) {
            this.#state = AsyncSubtask.State.CANCELLED_BEFORE_STARTED;
          } else {
            if (this.#state !== AsyncSubtask.State.STARTED) {
              throw new Error('resolved subtask must have been started before cancellation');
            }
            this.#state = AsyncSubtask.State.CANCELLED_BEFORE_RETURNED;
          }
        } else {
          if (this.#state !== AsyncSubtask.State.STARTED) {
            throw new Error('resolved subtask must have been started before completion');
          }
          this.#state = AsyncSubtask.State.RETURNED;
        }
        
        this.setResult(subtaskValue);
        
        for (const f of this.#onResolveHandlers) {
          try {
            f(subtaskValue);
          } catch (err) {
            console.error("error during subtask resolve handler", err);
            throw err;
          }
        }
        
        const callMetadata = this.getCallMetadata();
        
        // TODO(fix): we should be able to easily have the caller's meomry
        // to lower into here, but it's not present in PrepareCall
        const memory = callMetadata.memory ?? this.#parentTask?.getReturnMemory() ?? lookupMemoriesForComponent({ componentIdx: this.#parentTask?.componentIdx() })[0];
        // NOTE: cancelled resolutions carry no value, so nothing is lowered
        const returned = this.#state === AsyncSubtask.State.RETURNED;
        if (returned && callMetadata && !callMetadata.returnFn && (this.isAsync || callMetadata.funcTypeIsAsync) && callMetadata.resultPtr && memory) {
          const { resultPtr, realloc } = callMetadata;
          const lowers = callMetadata.lowers; // may have been updated in task.return of the child
          if (lowers && lowers.length > 0) {
            lowers[0]({
              componentIdx: this.#componentIdx,
              memory,
              realloc,
              vals: [subtaskValue],
              storagePtr: resultPtr,
              stringEncoding: callMetadata.stringEncoding,
            });
          }
        }
        
        this.#resolved = true;
        this.#parentTask.removeSubtask(this);
        
        if (!this.isAsync) {
          this.deliverResolve();
          const rep = this.waitableRep();
          if (rep) {
            try {
              const removed = this.#getComponentState().handles.remove(rep);
              if (removed !== this) {
                throw new Error("unexpectedly received non-self Subtask from handle removal");
              }
              this.drop();
            } catch (err) {
              _debugLog('[AsyncSubtask#onResolve()] failed to remove subtask after sync subtask completion', err);
            }
          }
        }
      }
      
      getStateNumber() { return this.#state; }
      isReturned() { return this.#state === AsyncSubtask.State.RETURNED; }
      
      getCallMetadata() { return this.#callMetadata; }
      
      isResolved() {
        if (this.#state === AsyncSubtask.State.STARTING
        || this.#state === AsyncSubtask.State.STARTED) {
          return false;
        }
        if (this.#state === AsyncSubtask.State.RETURNED
        || this.#state === AsyncSubtask.State.CANCELLED_BEFORE_STARTED
        || this.#state === AsyncSubtask.State.CANCELLED_BEFORE_RETURNED) {
          return true;
        }
        throw new Error('unrecognized internal Subtask state [' + this.#state + ']');
      }
      
      addLender(handle) {
        _debugLog('[AsyncSubtask#addLender()] args', { handle });
        if (!Number.isNumber(handle)) { throw new Error('missing/invalid lender handle [' + handle + ']'); }
        
        if (this.#lenders.length === 0 || this.isResolved()) {
          throw new Error('subtask has no lendors or has already been resolved');
        }
        
        handle.lends++;
        this.#lenders.push(handle);
      }
      
      deliverResolve() {
        _debugLog('[AsyncSubtask#deliverResolve()] args', {
          lenders: this.#lenders,
          parentTaskID: this.parentTaskID(),
          subtaskID: this.#id,
          childTaskID: this.childTaskID(),
          resolved: this.isResolved(),
          resolveDelivered: this.resolveDelivered(),
        });
        
        const cannotDeliverResolve = this.resolveDelivered() || !this.isResolved();
        if (cannotDeliverResolve) {
          throw new Error('subtask cannot deliver resolution twice, and the subtask must be resolved');
        }
        
        for (const lender of this.#lenders) {
          lender.lends--;
        }
        
        this.#lenders = null;
      }
      
      resolveDelivered() {
        _debugLog('[AsyncSubtask#resolveDelivered()] args', { });
        if (this.#lenders === null && !this.isResolved()) {
          throw new Error('invalid subtask state, lenders missing and subtask has not been resolved');
        }
        return this.#lenders === null;
      }
      
      drop() {
        _debugLog('[AsyncSubtask#drop()] args', {
          componentIdx: this.#componentIdx,
          parentTaskID: this.#parentTask?.id(),
          parentTaskFnName: this.#parentTask?.entryFnName(),
          childTaskID: this.#childTask?.id(),
          childTaskFnName: this.#childTask?.entryFnName(),
          subtaskFnName: this.fnName,
        });
        if (!this.#waitable) { throw new Error('missing/invalid inner waitable'); }
        if (!this.resolveDelivered()) {
          throw new Error('cannot drop a subtask which has not yet resolved');
        }
        if (this.#waitable) { this.#waitable.drop() }
        this.#dropped = true;
      }
      
      #getComponentState() {
        const state = getOrCreateAsyncState(this.#componentIdx);
        if (!state) {
          throw new Error('invalid/missing async state for component [' + componentIdx + ']');
        }
        return state;
      }
      
      getWaitableHandleIdx() {
        _debugLog('[AsyncSubtask#getWaitableHandleIdx()] args', { });
        if (!this.#waitable) { throw new Error('missing/invalid waitable'); }
        return this.waitableRep();
      }
    }
    
    class FutureValue {
      #start;
      #settled;
      #hideThen = 0;
      #thenFn;
      
      constructor(start) {
        if (typeof start !== 'function') {
          throw new TypeError('future start operation must be a function');
        }
        this.#start = start;
        this.#thenFn = this.#then.bind(this);
      }
      
      get then() {
        return this.#hideThen === 0 ? this.#thenFn : undefined;
      }
      
      #read() {
        if (!this.#settled) {
          // The start operation resolves to a non-thenable box so a
          // future-valued payload cannot be assimilated by this Promise.
          this.#settled = Promise.resolve().then(this.#start);
        }
        return this.#settled;
      }
      
      resolveAsValue(resolve) {
        this.#hideThen++;
        try {
          resolve(this);
        } finally {
          this.#hideThen--;
        }
      }
      
      #deliver(resolve, value) {
        if (value instanceof FutureValue) {
          // Promise resolution reads `then` synchronously. Hide it only
          // for that lookup so resolving this layer yields the inner
          // FutureValue instead of recursively awaiting it.
          value.resolveAsValue(resolve);
          return;
        }
        resolve(value);
      }
      
      #then(resolve, reject) {
        return this.#read().then(
        box => this.#deliver(resolve, box.value),
        reject,
        );
      }
    }
    const ASYNC_DETERMINISM = 'random';
    const _coinFlip = () => { return Math.random() > 0.5; };
    
    const ASYNC_EVENT_CODE = {
      NONE: 0,
      SUBTASK: 1,
      STREAM_READ: 2,
      STREAM_WRITE: 3,
      FUTURE_READ: 4,
      FUTURE_WRITE: 5,
      TASK_CANCELLED: 6,
    };
    const CURRENT_TASK_META = {};
    
    function _withGlobalCurrentTaskMeta(args) {
      _debugLog('[_withGlobalCurrentTaskMeta()] args', args);
      if (!args) { throw new TypeError('args missing'); }
      if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
      if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
      if (!args.fn) { throw new TypeError('missing fn'); }
      const { taskID, componentIdx, fn } = args;
      const previous = CURRENT_TASK_META[componentIdx] ?? null;
      const previousCurrent = CURRENT_TASK_META.current ?? null;
      
      try {
        CURRENT_TASK_META.current =
        CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
        return fn();
      } catch (err) {
        _debugLog("error while executing sync callee/callback", {
          ...args,
          err,
        });
        throw err;
      } finally {
        // Synchronous wrappers can nest without any intervening JS
        // scheduling. Restore the caller rather than clearing it so
        // helper core exports (for example fused return adapters) can
        // temporarily run under a different task of the same component.
        CURRENT_TASK_META[componentIdx] = previous;
        CURRENT_TASK_META.current = previousCurrent;
      }
    }
    
    async function _withGlobalCurrentTaskMetaAsync(args) {
      _debugLog('[_withGlobalCurrentTaskMetaAsync()] args', args);
      if (!args) { throw new TypeError('args missing'); }
      if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
      if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
      if (!args.fn) { throw new TypeError('missing fn'); }
      
      const { taskID, componentIdx, fn } = args;
      
      try {
        CURRENT_TASK_META.current =
        CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
        return await fn();
      } catch (err) {
        _debugLog("error while executing async callee/callback", {
          ...args,
          err,
        });
        throw err;
      } finally {
        CURRENT_TASK_META[componentIdx] = null;
        if (CURRENT_TASK_META.current?.taskID === taskID) {
          CURRENT_TASK_META.current = null;
        }
      }
    }
    
    class AsyncTask {
      static _ID = 0n;
      
      static State = {
        INITIAL: 'initial',
        CANCELLED: 'cancelled',
        CANCEL_PENDING: 'cancel-pending',
        CANCEL_DELIVERED: 'cancel-delivered',
        RESOLVED: 'resolved',
      }
      
      static BlockResult = {
        CANCELLED: 'block.cancelled',
        NOT_CANCELLED: 'block.not-cancelled',
      }
      
      #id;
      #componentIdx;
      #state;
      #isAsync;
      #isManualAsync;
      #callingWasmExport = true;
      #lockFreeEntry = false;
      #preserveFutureResult;
      #entryFnName = null;
      
      #onResolveHandlers = [];
      #progressWaiters = [];
      #completionPromise = null;
      #completionValue;
      #completionReady = false;
      #settleCompletionPromise;
      #rejected = false;
      
      #exitPromise = null;
      #onExitHandlers = [];
      
      #memoryIdx = null;
      #memory = null;
      
      #callbackFn = null;
      #callbackFnName = null;
      
      #postReturnFn = null;
      
      #getCalleeParamsFn = null;
      #calleeIsAsync = null;
      
      #stringEncoding = null;
      
      #parentSubtask = null;
      
      #errHandling;
      
      #backpressurePromise;
      #backpressureWaiters = 0n;
      
      #returnLowerFns = null;
      
      #resourceScopeId;
      #resourceBorrowCount = 0;
      #resourceLenders = [];
      #resourceScopeExited = false;
      
      #subtasks = [];
      
      #entered = false;
      #exited = false;
      #errored = null;
      
      cancelled = false;
      cancelRequested = false;
      alwaysTaskReturn = false;
      
      returnCalls =  0;
      storage = [0, 0];
      tmpRetI64HighBits = 0|0;
      
      constructor(opts) {
        this.#id = ++AsyncTask._ID;
        this.#resourceScopeId = ++RESOURCE_SCOPE_ID;
        RESOURCE_SCOPE_TASKS.set(this.#resourceScopeId, this);
        
        if (opts?.componentIdx === undefined) {
          throw new TypeError('missing component id during task creation');
        }
        this.#componentIdx = opts.componentIdx;
        
        this.#state = AsyncTask.State.INITIAL;
        this.#isAsync = opts?.isAsync ?? false;
        this.#isManualAsync = opts?.isManualAsync ?? false;
        this.#preserveFutureResult = opts?.preserveFutureResult ?? false;
        this.#entryFnName = opts.entryFnName;
        // Tasks that execute guest slices (export calls, fused
        // callees) default to true; import-handler tasks pass false
        // explicitly (they run host code nested inside the caller's
        // already-locked slice).
        this.#callingWasmExport = opts?.callingWasmExport !== false;
        
        const {
          promise: completionPromise,
          resolve: resolveCompletionPromise,
          reject: rejectCompletionPromise,
        } = promiseWithResolvers();
        this.#completionPromise = completionPromise;
        // A nested rejection can reach the root task while its Wasm
        // entrypoint is still suspended, before the export wrapper awaits
        // this promise. Mark it handled immediately while preserving the
        // original rejected promise for the eventual caller.
        completionPromise.catch(() => {});
        
        let completionSettled = false;
        const settleCompletionPromise = () => {
          if (completionSettled || !this.#completionReady) { return; }
          completionSettled = true;
          if (this.#errored !== null) {
            rejectCompletionPromise(this.#errored);
          } else if (this.#rejected) {
            rejectCompletionPromise(this.#completionValue);
          } else if (
          this.#preserveFutureResult
          && this.#completionValue instanceof FutureValue
          ) {
            this.#completionValue.resolveAsValue(resolveCompletionPromise);
          } else {
            resolveCompletionPromise(this.#completionValue);
          }
        };
        
        this.#settleCompletionPromise = settleCompletionPromise;
        this.#onResolveHandlers.push((results) => {
          if (this.#parentSubtask !== null) { return; }
          if (!this.#isAsync && !this.#isManualAsync) { return; }
          this.#completionValue = results;
          this.#completionReady = true;
          // Publish after the current guest slice returns, so a trap
          // in that slice can still reject the call. Do not wait for
          // task exit: detached work may require further host calls
          // or consumption of a returned resource's stream.
        });
        
        const {
          promise: exitPromise,
          resolve: resolveExitPromise,
          reject: rejectExitPromise,
        } = promiseWithResolvers();
        this.#exitPromise = exitPromise;
        
        this.#onExitHandlers.push(() => {
          if (this.#parentSubtask === null && (this.#isAsync || this.#isManualAsync)) {
            settleCompletionPromise();
          }
          resolveExitPromise();
        });
        
        if (opts.callbackFn) { this.#callbackFn = opts.callbackFn; }
        if (opts.callbackFnName) { this.#callbackFnName = opts.callbackFnName; }
        
        if (opts.getCalleeParamsFn) { this.#getCalleeParamsFn = opts.getCalleeParamsFn; }
        if (opts.stringEncoding) { this.#stringEncoding = opts.stringEncoding; }
        
        if (opts.parentSubtask) { this.#parentSubtask = opts.parentSubtask; }
        
        
        if (opts.errHandling) { this.#errHandling = opts.errHandling; }
      }
      
      taskState() { return this.#state; }
      id() { return this.#id; }
      componentIdx() { return this.#componentIdx; }
      entryFnName() { return this.#entryFnName; }
      
      resourceScopeId() { return this.#resourceScopeId; }
      
      addBorrowedHandle() {
        if (this.#resourceScopeExited) {
          throw new Error('cannot add a borrow to an exited resource scope');
        }
        this.#resourceBorrowCount++;
      }
      
      removeBorrowedHandle() {
        if (this.#resourceBorrowCount === 0) {
          throw new Error('resource borrow count underflow');
        }
        this.#resourceBorrowCount--;
      }
      
      addResourceLender(table, handle) {
        if (this.#resourceScopeExited) {
          throw new Error('cannot add a lender to an exited resource scope');
        }
        this.#resourceLenders.push({ table, handle });
      }
      
      validateResourceBorrowScope() {
        if (this.#resourceScopeExited) { return; }
        if (this.#resourceBorrowCount !== 0) {
          throw new WebAssemblyRuntimeError('borrow handles still remain at the end of the call');
        }
        for (const { table, handle } of this.#resourceLenders) {
          const idx = handle << 1;
          const lendCount = table[idx];
          if (!Number.isInteger(lendCount) || lendCount <= 0 || lendCount >= 2**30) {
            throw new Error('invalid resource lender state at scope exit');
          }
          table[idx] = lendCount - 1;
        }
        this.#resourceLenders = [];
        this.#resourceScopeExited = true;
        RESOURCE_SCOPE_TASKS.delete(this.#resourceScopeId);
      }
      
      completionPromise() { return this.#completionPromise; }
      settleCompletion() { this.#settleCompletionPromise(); }
      exitPromise() { return this.#exitPromise; }
      
      waitForProgress() {
        const { promise, resolve } = promiseWithResolvers();
        this.#progressWaiters.push(resolve);
        return promise;
      }
      
      notifyProgress() {
        const waiters = this.#progressWaiters;
        this.#progressWaiters = [];
        for (const resolve of waiters) { resolve(); }
      }
      
      isAsync() { return this.#isAsync; }
      isManualAsync() { return this.#isManualAsync; }
      isSync() { return !this.isAsync(); }
      
      getErrHandling() { return this.#errHandling; }
      
      hasCallback() { return this.#callbackFn !== null; }
      
      getReturnMemoryIdx() { return this.#memoryIdx; }
      setReturnMemoryIdx(idx) {
        if (idx === null) { return; }
        this.#memoryIdx = idx;
      }
      
      getReturnMemory() { return this.#memory; }
      setReturnMemory(m) {
        if (m === null) { return; }
        this.#memory = m;
      }
      
      setReturnLowerFns(fns) { this.#returnLowerFns = fns; }
      getReturnLowerFns() { return this.#returnLowerFns; }
      
      setCalleeIsAsync(value) {
        if (typeof value !== 'boolean') { throw new TypeError('callee async state must be a boolean'); }
        this.#calleeIsAsync = value;
      }
      
      setParentSubtask(subtask) {
        if (!subtask || !(subtask instanceof AsyncSubtask)) { return }
        if (this.#parentSubtask) { throw new Error('parent subtask can only be set once'); }
        this.#parentSubtask = subtask;
      }
      
      getParentSubtask() { return this.#parentSubtask; }
      
      // TODO(threads): this is very inefficient, we can pass along a root task,
      // and ideally do not need this once thread support is in place
      getRootTask() {
        let currentSubtask = this.getParentSubtask();
        let task = this;
        while (currentSubtask) {
          task = currentSubtask.getParentTask();
          currentSubtask = task.getParentSubtask();
        }
        return task;
      }
      
      setPostReturnFn(f) {
        if (!f) { return; }
        if (this.#postReturnFn) { throw new Error('postReturn fn can only be set once'); }
        this.#postReturnFn = f;
      }
      
      setCallbackFn(f, name) {
        if (!f) { return; }
        if (this.#callbackFn) { throw new Error('callback fn can only be set once'); }
        this.#callbackFn = f;
        this.#callbackFnName = name;
      }
      
      getCallbackFnName() {
        if (!this.#callbackFnName) { return undefined; }
        return this.#callbackFnName;
      }
      
      runCallbackFn(...args) {
        if (!this.#callbackFn) { throw new Error('no callback function has been set for task'); }
        if (this.#callbackFn._jcoMaySuspend === false) {
          return _withGlobalCurrentTaskMeta({
            taskID: this.#id,
            componentIdx: this.#componentIdx,
            fn: () => this.#callbackFn.apply(null, args),
          });
        }
        return _withGlobalCurrentTaskMetaAsync({
          taskID: this.#id,
          componentIdx: this.#componentIdx,
          fn: () => { return this.#callbackFn.apply(null, args); }
        });
      }
      
      getCalleeParams() {
        if (!this.#getCalleeParamsFn) { throw new Error('missing/invalid getCalleeParamsFn'); }
        return this.#getCalleeParamsFn();
      }
      
      // Legacy manually-async exports are sync-typed in the component
      // but use JSPI precisely so their guest stack may suspend.
      mayBlock() { return this.isAsync() || this.isManualAsync() || this.isResolvedState() }
      
      mayEnter(task) {
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        if (cstate.hasBackpressure()) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to backpressure', { taskID: this.#id });
          return false;
        }
        if (!cstate.callingSyncImport()) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to sync import call', { taskID: this.#id });
          return false;
        }
        const callingSyncExportWithSyncPending = cstate.callingSyncExport && !task.isAsync;
        if (!callingSyncExportWithSyncPending) {
          _debugLog('[AsyncTask#mayEnter()] disallowed due to sync export w/ sync pending', { taskID: this.#id });
          return false;
        }
        return true;
      }
      
      enterSync() {
        if (this.needsExclusiveLock()) {
          const cstate = getOrCreateAsyncState(this.#componentIdx);
          if (!cstate.isExclusivelyLocked()) {
            cstate.exclusiveLock(this.#id);
          } else {
            // A host-called sync export arriving while another
            // task's slice holds the lock: synchronous entry
            // cannot wait, and historically this entry silently
            // stole the hold. Run without the lock instead --
            // the holder's bookkeeping stays intact and its
            // release still pairs
            this.#lockFreeEntry = true;
            _debugLog('[AsyncTask#enterSync()] entering without exclusive lock', {
              taskID: this.#id,
              componentIdx: this.#componentIdx,
            });
          }
        }
        return true;
      }
      
      tryEnter() {
        if (this.#entered) {
          throw new Error(`task with ID [${this.#id}] should not be entered twice`);
        }
        
        if (this.deliverPendingCancel({ cancellable: true })) {
          this.cancel();
          return false;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        if (this.isSync()) {
          this.#entered = true;
          return true;
        }
        if (cstate.hasBackpressure()) { return null; }
        if (this.needsExclusiveLock()) {
          if (cstate.isExclusivelyLocked()) { return null; }
          cstate.exclusiveLock(this.#id);
        }
        
        if (this.deliverPendingCancel({ cancellable: true })) {
          cstate.exclusiveRelease(this.#id);
          this.cancel();
          return false;
        }
        
        this.#entered = true;
        return true;
      }
      
      async enter(opts) {
        _debugLog('[AsyncTask#enter()] args', {
          taskID: this.#id,
          componentIdx: this.#componentIdx,
          subtaskID: this.getParentSubtask()?.id(),
          args: opts,
          entryFnName: this.#entryFnName,
        });
        
        if (this.#entered) {
          throw new Error(`task with ID [${this.#id}] should not be entered twice`);
        }
        
        // If cancellation was requested before the task was entered, resolve
        // as cancelled without ever running guest code
        if (this.deliverPendingCancel({ cancellable: true })) {
          this.cancel();
          return false;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        
        if (opts?.isHost) {
          this.#entered = true;
          // A guest task may be synchronously blocked in this
          // host entry. Propagate that boundary so an async
          // cancellation driver can yield BLOCKED while the host
          // operation is outstanding.
          const parentTask = this.#parentSubtask?.getParentTask();
          if (
          parentTask?.taskState() === AsyncTask.State.CANCEL_DELIVERED
          || (parentTask && !parentTask.hasCallback())
          ) {
            parentTask.notifyProgress();
          }
          return this.#entered;
        }
        
        // NOTE: concurrent task lifetimes within one component instance are
        // permitted by the Component Model: entry is governed by the
        // backpressure and exclusive-lock checks below (the lock is held per
        // execution slice, not for the task's lifetime).
        //
        // Serializing entire task lifetimes here (the former "execution slot" queue)
        // deadlocks pipelines where a parked long-lived task's progress depends on a
        // later entry into the same component.
        
        // If a task is synchronous then we can avoid component-relevant
        // tracking and immediately enter.
        if (this.isSync()) {
          this.#entered = true;
          
          // TODO(breaking): remove once manually-specifying async fns is removed
          // It is currently possible for an actually sync export to be specified
          // as async via JSPI
          if (this.#isManualAsync) {
            if (this.needsExclusiveLock()) { await cstate.acquireExclusiveLock(this.#id); }
          }
          
          return this.#entered;
        }
        
        // Perform intial backpressure check
        if (cstate.hasBackpressure()) {
          cstate.addBackpressureWaiter();
          
          const result = await this.waitUntil({
            readyFn: () => {
              return !cstate.hasBackpressure();
            },
            cancellable: true,
          });
          
          cstate.removeBackpressureWaiter();
          
          if (!result || this.isCancelled()) {
            if (!this.isResolvedState()) { this.cancel(); }
            return false;
          }
        }
        
        // Acquire the per-slice exclusive lock (FIFO-queued when
        // contended); the first slice runs under this hold and the
        // driver loop releases/re-acquires it per slice thereafter.
        if (this.needsExclusiveLock()) {
          await cstate.acquireExclusiveLock(this.#id);
        }
        
        // Cancellation-before-start may resolve this task while its
        // queued lock acquisition is still pending. Acquiring the lock
        // does not make the already-resolved task runnable again.
        if (this.isResolvedState() || this.isCancelled()) {
          cstate.exclusiveRelease(this.#id);
          return false;
        }
        
        // Cancellation can be requested while entry is waiting for
        // backpressure or its exclusive lock. Do not execute the guest
        // after acquiring a lock for a task that should no longer start.
        if (this.deliverPendingCancel({ cancellable: true })) {
          cstate.exclusiveRelease(this.#id);
          this.cancel();
          return false;
        }
        
        this.#entered = true;
        return this.#entered;
      }
      
      isRunningState() { return this.#state !== AsyncTask.State.RESOLVED; }
      isResolvedState() { return this.#state === AsyncTask.State.RESOLVED; }
      isResolved() { return this.#state === AsyncTask.State.RESOLVED; }
      isExited() { return this.#exited; }
      
      async waitUntil(opts) {
        const { readyFn, cancellable } = opts;
        _debugLog('[AsyncTask#waitUntil()] args', { taskID: this.#id, args: { cancellable } });
        
        // TODO(fix): check for cancel
        // TODO(fix): determinism
        // TODO(threads): add this thread to waiting list
        
        const keepGoing = await this.suspendUntil({
          readyFn,
          cancellable,
        });
        
        return keepGoing;
      }
      
      async yieldUntil(opts) {
        const { readyFn, cancellable } = opts;
        _debugLog('[AsyncTask#yieldUntil()]', {
          taskID: this.#id,
          args: {
            cancellable,
          },
          componentIdx: this.#componentIdx,
        });
        
        // A callback YIELD is an explicit request to let other work run.
        // Unlike waits whose condition is already ready, it must always
        // suspend for at least one scheduler turn.
        const keepGoing = await this.immediateSuspend({ readyFn, cancellable });
        if (keepGoing) {
          return {
            code: ASYNC_EVENT_CODE.NONE,
            payload0: 0,
            payload1: 0,
          };
        }
        
        return {
          code: ASYNC_EVENT_CODE.TASK_CANCELLED,
          payload0: 0,
          payload1: 0,
        };
      }
      
      async suspendUntil(opts) {
        const { cancellable, readyFn } = opts;
        _debugLog('[AsyncTask#suspendUntil()] args', {
          taskID: this.#id,
          args: {
            cancellable,
          },
          componentIdx: this.#componentIdx,
        });
        
        const pendingCancelled = this.deliverPendingCancel({ cancellable });
        if (pendingCancelled) { return false; }
        
        const completed = await this.immediateSuspendUntil({ readyFn, cancellable });
        return completed;
      }
      
      suspendUntilCallback(opts, onResume) {
        const { cancellable, readyFn } = opts;
        if (this.deliverPendingCancel({ cancellable })) {
          onResume(false);
          return;
        }
        
        const cstate = getOrCreateAsyncState(this.#componentIdx);
        cstate.suspendTask({
          task: this,
          cancellable,
          readyFn: () => {
            if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
              return true;
            }
            return readyFn();
          },
          onResume: (keepGoing) => {
            if (keepGoing && this.deliverPendingCancel({ cancellable })) {
              keepGoing = false;
            }
            onResume(keepGoing);
          },
        });
      }
      
      // TODO(threads): equivalent to thread.suspend_until()
      async immediateSuspendUntil(opts) {
        const { cancellable, readyFn } = opts;
        _debugLog('[AsyncTask#immediateSuspendUntil()] args', {
          args: {
            cancellable,
            readyFn,
          },
          taskID: this.#id,
          componentIdx: this.#componentIdx,
        });
        
        const ready = readyFn();
        if (ready && ASYNC_DETERMINISM === 'random') {
          const coinFlip = _coinFlip();
          if (coinFlip) { return true }
        }
        
        const keepGoing = await this.immediateSuspend({ cancellable, readyFn });
        return keepGoing;
      }
      
      async immediateSuspend(opts) { // NOTE: equivalent to thread.suspend()
      // TODO(threads): store readyFn on the thread
      const { cancellable, readyFn } = opts;
      _debugLog('[AsyncTask#immediateSuspend()] args', { cancellable, readyFn });
      
      const pendingCancelled = this.deliverPendingCancel({ cancellable });
      if (pendingCancelled) { return false; }
      
      const cstate = getOrCreateAsyncState(this.#componentIdx);
      const keepGoing = await cstate.suspendTask({
        task: this,
        cancellable,
        readyFn: () => {
          // A pending cancellation request wakes cancellable waits
          if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
            return true;
          }
          return readyFn();
        },
      });
      if (keepGoing && this.deliverPendingCancel({ cancellable })) { return false; }
      return keepGoing;
    }
    
    deliverPendingCancel(opts) {
      const { cancellable } = opts;
      _debugLog('[AsyncTask#deliverPendingCancel()]', {
        args: { cancellable },
        taskID: this.#id,
        componentIdx: this.#componentIdx,
      });
      
      if (cancellable && this.#state === AsyncTask.State.CANCEL_PENDING) {
        this.#state = AsyncTask.State.CANCEL_DELIVERED;
        return true;
      }
      
      return false;
    }
    
    isCancelled() { return this.cancelled }
    cancellationRequested() { return this.cancelRequested; }
    
    // Request cooperative cancellation of this task, called on behalf of a
    // supertask performing `subtask.cancel` on the subtask this task backs.
    //
    // The request is delivered at this task's next cancellable wait
    // (see suspendUntil/immediateSuspend), at which point the task is
    // expected to acknowledge via `task.cancel` or still resolve via
    // `task.return`.
    requestCancellation() {
      _debugLog('[AsyncTask#requestCancellation()] args', {
        taskID: this.#id,
        componentIdx: this.#componentIdx,
        state: this.#state,
      });
      if (this.isResolvedState() || this.cancelRequested) { return; }
      this.cancelRequested = true;
      if (this.#state === AsyncTask.State.INITIAL) {
        this.#state = AsyncTask.State.CANCEL_PENDING;
      }
      // Nudge the component's tick loop so that any suspended cancellable
      // wait observes the pending cancellation promptly
      getOrCreateAsyncState(this.#componentIdx).runTickLoop();
    }
    
    cancel(args) {
      _debugLog('[AsyncTask#cancel()] args', { });
      if (this.taskState() !== AsyncTask.State.CANCEL_DELIVERED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}] invalid task state [${this.taskState()}] for cancellation`);
      }
      this.validateResourceBorrowScope();
      this.cancelled = true;
      // Cancelled tasks resolve with no value (spec: `Task.cancel` calls
      // `on_resolve(None)`); an explicit error is only present on the
      // host-driven rejection path (see `reject()`).
      this.onResolve(args?.error ?? null);
      this.#state = AsyncTask.State.RESOLVED;
      // A task cancelled before entry has no driver loop that can
      // report its exit. Entered tasks notify after releasing their
      // component slice in `exit()`.
      if (!this.#entered) { this.notifyProgress(); }
    }
    
    onResolve(taskValue) {
      const handlers = this.#onResolveHandlers;
      this.#onResolveHandlers = [];
      for (const f of handlers) {
        try {
          f(taskValue);
        } catch (err) {
          _debugLog("[AsyncTask#onResolve] error during task resolve handler", err);
          throw err;
        }
      }
      
      // Rejections are control-flow failures, not canonical ABI results.
      // Propagate them through the subtask chain without running return
      // lowering or post-return hooks for a successful result.
      if (this.#rejected) {
        this.#parentSubtask?.reject(taskValue);
        return;
      }
      
      // NOTE: if the parent subtask has already been resolved (e.g. it was
      // cancelled via `subtask.cancel` while this task was still pending),
      // this task's resolution must be discarded rather than delivered.
      const parentSubtaskPending = this.#parentSubtask && !this.#parentSubtask.isResolved();
      const taskReturned = !this.isCancelled();
      
      if (parentSubtaskPending && taskReturned) {
        const meta = this.#parentSubtask.getCallMetadata();
        // Run the rturn fn if it has not already been called -- this *should* have happened in
        // `task.return`, but some paths do not go through task.return (e.g. async lower of sync fn
        // which goes through prepare + async-start-call)
        if (meta.returnFn && !meta.returnFnCalled) {
          _debugLog('[AsyncTask#onResolve()] running returnFn', {
            componentIdx: this.#componentIdx,
            taskID: this.#id,
            subtaskID: this.#parentSubtask.id(),
          });
          const callerTask = this.#parentSubtask.getParentTask();
          _withGlobalCurrentTaskMeta({
            taskID: callerTask.id(),
            componentIdx: callerTask.componentIdx(),
            fn: () => meta.returnFn.apply(null, [taskValue, meta.resultPtr]),
          });
          meta.returnFnCalled = true;
        }
      }
      
      if (this.#postReturnFn && taskReturned) {
        _debugLog('[AsyncTask#onResolve()] running post return ', {
          componentIdx: this.#componentIdx,
          taskID: this.#id,
        });
        try {
          _withGlobalCurrentTaskMeta({
            taskID: this.#id,
            componentIdx: this.#componentIdx,
            fn: () => this.#postReturnFn(taskValue),
          });
        } catch (err) {
          _debugLog("[AsyncTask#onResolve] error during task resolve handler", err);
          throw err;
        }
      }
      
      if (parentSubtaskPending) {
        this.#parentSubtask.onResolve(taskValue);
      }
    }
    
    registerOnResolveHandler(f) {
      this.#onResolveHandlers.push(f);
    }
    
    isRejected() { return this.#rejected; }
    
    isErrored() { return this.#errored; }
    setErrored(err) {
      // Preserve the originating trap when unwinding through
      // additional guest frames produces secondary traps (often
      // an `unreachable` after a call which was expected to trap).
      if (this.#errored === null) { this.#errored = err; }
    }
    
    reject(taskErr) {
      _debugLog('[AsyncTask#reject()] args', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
        parentSubtask: this.#parentSubtask,
        parentSubtaskID: this.#parentSubtask?.id(),
        entryFnName: this.entryFnName(),
        callbackFnName: this.#callbackFnName,
        errMsg: taskErr.message,
      });
      
      this.setErrored(taskErr);
      if (this.#rejected) { return; }
      
      // A task may call `task.return` before its callback exits.
      // A trap in cleanup or spawned work must still reject the
      // host call and poison the enclosing task chain.
      if (this.isResolvedState()) {
        this.#rejected = true;
        this.#errored = taskErr;
        const parentTask = this.#parentSubtask?.getParentTask();
        if (parentTask) { parentTask.reject(taskErr); }
        return;
      }
      
      this.#rejected = true;
      this.cancelRequested = true;
      this.#state = AsyncTask.State.CANCEL_PENDING;
      const cancelled = this.deliverPendingCancel({ cancellable: true });
      
      // TODO: do cleanup here to reset the machinery so we can run again?
      
      this.cancel({ error: taskErr });
    }
    
    resolve(results) {
      _debugLog('[AsyncTask#resolve()] args', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
        entryFnName: this.entryFnName(),
        callbackFnName: this.#callbackFnName,
      });
      
      if (this.#state === AsyncTask.State.RESOLVED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}]  is already resolved (did you forget to wait for an import?)`);
      }
      
      this.validateResourceBorrowScope();
      
      this.#state = AsyncTask.State.RESOLVED;
      
      switch (results.length) {
        case 0:
        this.onResolve(undefined);
        break;
        case 1:
        this.onResolve(results[0]);
        break;
        default:
        _debugLog('[AsyncTask#resolve()] unexpected number of results', {
          componentIdx: this.#componentIdx,
          results,
          taskID: this.#id,
          subtaskID: this.#parentSubtask?.id(),
          entryFnName: this.#entryFnName,
          callbackFnName: this.#callbackFnName,
        });
        throw new Error('unexpected number of results');
      }
    }
    
    exit(args) {
      _debugLog('[AsyncTask#exit()]', {
        componentIdx: this.#componentIdx,
        taskID: this.#id,
      });
      
      if (this.#exited)  { throw new Error("task has already exited"); }
      
      if (this.#state !== AsyncTask.State.RESOLVED) {
        throw new Error(`(component [${this.#componentIdx}]) task [${this.#id}] exited without resolution`);
      }
      
      this.validateResourceBorrowScope();
      
      const state = getOrCreateAsyncState(this.#componentIdx);
      if (!state) { throw new Error('missing async state for component [' + this.#componentIdx + ']'); }
      
      // Exempt the host from exclusive lock check
      if (this.#componentIdx !== -1 && !args?.skipExclusiveLockCheck && !this.#lockFreeEntry) {
        if (this.needsExclusiveLock() && !state.exclusivelyLockedBy(this.#id)) {
          throw new Error(`task [${this.#id}] exit: component [${this.#componentIdx}] should have been exclusively locked by it`);
        }
      }
      
      // Ownership-checked: releases only this task's own hold (a
      // task exiting while another task's slice holds the lock no
      // longer clears the foreign hold).
      state.exclusiveRelease(this.#id);
      this.notifyProgress();
      
      for (const f of this.#onExitHandlers) {
        try {
          f();
        } catch (err) {
          console.error("error during task exit handler", err);
          throw err;
        }
      }
      
      this.#exited = true;
      clearCurrentTask(this.#componentIdx, this.id());
    }
    
    needsExclusiveLock() {
      // Host (-1) tasks model host-side import handling: there is no
      // guest linear memory or executor state to protect, and host
      // calls from unrelated guest components would contend spuriously.
      if (this.#componentIdx === -1) { return false; }
      // Import-handler tasks (CallInterface) run host code nested
      // inside the calling guest slice, which already holds the
      // lock; only tasks that execute guest slices need it.
      if (!this.#callingWasmExport) { return false; }
      // A sync-lifted callee cannot be reentered until the whole
      // stackful call returns. This is the Component Model's
      // automatic-backpressure rule for async-lowered calls.
      return !this.#isAsync || this.hasCallback() || this.#calleeIsAsync === false;
    }
    
    createSubtask(args) {
      _debugLog('[AsyncTask#createSubtask()] args', args);
      const { componentIdx, childTask, callMetadata, fnName, isAsync, isManualAsync } = args;
      
      const cstate = getOrCreateAsyncState(this.#componentIdx);
      if (!cstate) {
        throw new Error(`invalid/missing async state for component idx [${componentIdx}]`);
      }
      
      const waitable = new Waitable({
        componentIdx: this.#componentIdx,
        target: `subtask (internal ID [${this.#id}])`,
      });
      
      const newSubtask = new AsyncSubtask({
        componentIdx,
        childTask,
        parentTask: this,
        callMetadata,
        isAsync,
        isManualAsync,
        fnName,
        waitable,
      });
      this.#subtasks.push(newSubtask);
      newSubtask.setTarget(`subtask (internal ID [${newSubtask.id()}], waitable [${waitable.idx()}], component [${componentIdx}])`);
      waitable.setIdx(cstate.handles.insert(newSubtask));
      waitable.setTarget(`waitable for subtask (waitable id [${waitable.idx()}], subtask internal ID [${newSubtask.id()}])`);
      return newSubtask;
    }
    
    getLatestSubtask() {
      return this.#subtasks.at(-1);
    }
    
    getSubtaskByWaitableRep(rep) {
      if (rep === undefined) { throw new TypeError('missing rep'); }
      return this.#subtasks.find(s => s.waitableRep() === rep);
    }
    
    currentSubtask() {
      _debugLog('[AsyncTask#currentSubtask()]');
      if (this.#subtasks.length === 0) { return undefined; }
      return this.#subtasks.at(-1);
    }
    
    removeSubtask(subtask) {
      if (this.#subtasks.length === 0) {
        throw new Error('cannot end current subtask: no current subtask');
      }
      this.#subtasks = this.#subtasks.filter(t => t !== subtask);
      return subtask;
    }
  }
  
  function createNewCurrentTask(args) {
    _debugLog('[createNewCurrentTask()] args', args);
    const {
      componentIdx,
      isAsync,
      isManualAsync,
      preserveFutureResult,
      entryFnName,
      parentSubtaskID,
      callbackFnName,
      getCallbackFn,
      getParamsFn,
      stringEncoding,
      errHandling,
      getCalleeParamsFn,
      resultPtr,
      callingWasmExport,
    } = args;
    if (componentIdx === undefined || componentIdx === null) {
      throw new Error('missing/invalid component instance index while starting task');
    }
    let taskMetas = ASYNC_TASKS_BY_COMPONENT_IDX.get(componentIdx);
    const callbackFn = getCallbackFn ? getCallbackFn() : null;
    
    const newTask = new AsyncTask({
      componentIdx,
      isAsync,
      isManualAsync,
      preserveFutureResult,
      entryFnName,
      callbackFn,
      callbackFnName,
      stringEncoding,
      getCalleeParamsFn,
      resultPtr,
      errHandling,
      callingWasmExport,
    });
    
    const newTaskID = newTask.id();
    const newTaskMeta = { id: newTaskID, componentIdx, task: newTask };
    
    // NOTE: do not track host tasks
    ASYNC_CURRENT_TASK_IDS.push(newTaskID);
    ASYNC_CURRENT_COMPONENT_IDXS.push(componentIdx);
    
    if (!taskMetas) {
      taskMetas = [newTaskMeta];
      ASYNC_TASKS_BY_COMPONENT_IDX.set(componentIdx, [newTaskMeta]);
    } else {
      taskMetas.push(newTaskMeta);
    }
    
    return [newTask, newTaskID];
  }
  
  function _checkMayLeave(componentIdx) {
    if (INSTANCE_FLAGS.get(componentIdx)?.value !== 1) {
      throw new WebAssemblyRuntimeError('cannot leave component instance');
    }
  }
  
  function _getGlobalCurrentTaskMeta(componentIdx) {
    const v = componentIdx === undefined || componentIdx === null
    ? CURRENT_TASK_META.current
    : CURRENT_TASK_META[componentIdx];
    if (v === undefined || v === null) {
      return undefined;
    }
    return { ...v };
  }
  
  
  function _setGlobalCurrentTaskMeta(args) {
    if (!args) { throw new TypeError('args missing'); }
    if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
    if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
    const { taskID, componentIdx } = args;
    return CURRENT_TASK_META.current =
    CURRENT_TASK_META[componentIdx] = { taskID, componentIdx };
  }
  
  
  async function _clearCurrentTask(args) {
    _debugLog('[_clearCurrentTask()] args', args);
    if (!args) { throw new TypeError('args missing'); }
    if (args.taskID === undefined) { throw new TypeError('missing task ID'); }
    if (args.componentIdx === undefined) { throw new TypeError('missing component idx'); }
    const { taskID, componentIdx } = args;
    
    const meta = CURRENT_TASK_META[componentIdx];
    if (!meta) { throw new Error(`missing current task meta for component idx [${componentIdx}]`); }
    
    if (meta.taskID !== taskID) {
      throw new Error(`task ID [${meta.taskID}] != requested ID [${taskID}]`);
    }
    if (meta.componentIdx !== componentIdx) {
      throw new Error(`component idx [${meta.componentIdx}] != requested idx [${componentIdx}]`);
    }
    
    CURRENT_TASK_META[componentIdx] = null;
    if (CURRENT_TASK_META.current?.taskID === taskID) {
      CURRENT_TASK_META.current = null;
    }
  }
  
  function _lowerImportBackwardsCompat(args) {
    const params = [...arguments].slice(1);
    _debugLog('[_lowerImportBackwardsCompat()] args', { args, params });
    const {
      functionIdx,
      componentIdx,
      isAsync,
      isManualAsync,
      paramLiftFns,
      resultLowerFns,
      hasResultPointer,
      funcTypeIsAsync,
      metadata,
      memoryIdx,
      getMemoryFn,
      getReallocFn,
      importFn,
      stringEncoding,
    } = args;
    
    _checkMayLeave(componentIdx);
    
    let meta = _getGlobalCurrentTaskMeta(componentIdx);
    let createdTask;
    
    // Some components depend on initialization logic (i.e. `_initialize` or some such
    // core wasm export) that is embedded in the component, but is not executed or wizer'd
    // away before the transpiled component is attempted to be used.
    //
    // These components execut their initialization logic *when they are imported* in the
    // transpiled context -- so we may get a call to an export that is lowered without going
    // through `CallWasm` or `CallInterface`.
    //
    if (!meta) {
      if (funcTypeIsAsync || (isAsync && !isManualAsync)) {
        throw new Error('p3 async wasm exports cannot use backwards compat auto-task init');
      }
      
      const [newTask, newTaskID] = createNewCurrentTask({
        componentIdx,
        isAsync,
        isManualAsync,
        callingWasmExport: false,
      });
      createdTask = newTask;
      
      // Since we're managing the task creation ourselves we must clear ourselves
      createdTask.registerOnResolveHandler(() => {
        _clearCurrentTask({
          taskID: task.id(),
          componentIdx: task.componentIdx(),
        });
      });
      
      _setGlobalCurrentTaskMeta({
        componentIdx,
        taskID: newTaskID,
      });
      
      meta = _getGlobalCurrentTaskMeta(componentIdx);
    }
    
    const { taskID } = meta;
    
    const taskMeta = getCurrentTask(componentIdx, taskID);
    if (!taskMeta) {
      throw new Error('invalid/missing async task meta');
    }
    
    const task = taskMeta.task;
    if (!task) { throw new Error('invalid/missing async task'); }
    
    const cstate = getOrCreateAsyncState(componentIdx);
    
    if (!task.mayBlock() && funcTypeIsAsync && !isAsync) {
      throw new Error("non async exports cannot synchronously call async functions");
    }
    
    // If there is an existing task, this should be part of a subtask
    const memory = getMemoryFn();
    // Canonical ABI lower appends result storage as a trailing
    // param when async lower has any flat result, or sync lower
    // has more than one flat result.
    const resultPtr = hasResultPointer ? params[params.length - 1] : undefined;
    const subtask = task.createSubtask({
      componentIdx,
      parentTask: task,
      fnName: importFn.fnName,
      isAsync,
      isManualAsync,
      callMetadata: {
        memoryIdx,
        memory,
        realloc: getReallocFn?.(),
        getReallocFn,
        resultPtr,
        lowers: resultLowerFns,
        funcTypeIsAsync,
        stringEncoding,
      }
    });
    task.setReturnMemoryIdx(memoryIdx);
    task.setReturnMemory(getMemoryFn());
    
    subtask.onStart();
    
    // If dealing with a sync lowered sync function, we can directly return results
    //
    // TODO(breaking): remove once we get rid of manual async import specification,
    // as func types cannot be detected in that case only (and we don't need that w/ p3)
    if (!isManualAsync && !isAsync && !funcTypeIsAsync) {
      if (createdTask) { createdTask.enterSync(); }
      
      const res = importFn(...params);
      
      // TODO(breaking): remove once we get rid of manual async import specification,
      // as func types cannot be detected in that case only (and we don't need that w/ p3)
      if (!funcTypeIsAsync && !subtask.isReturned()) {
        throw new Error('post-execution subtasks must either be async or returned');
      }
      
      const syncRes = subtask.getResult();
      if (createdTask) { createdTask.resolve([syncRes]); }
      
      return syncRes;
    }
    
    // Sync-lowered async functions requires async behavior because the callee *can* block,
    // but this call must *act* synchronously and return immediately with the result
    // (i.e. not returning until the work is done)
    //
    // TODO(breaking): remove checking for manual async specification here, once we can go p3-only
    //
    if (!isManualAsync && !isAsync && funcTypeIsAsync) {
      const { promise, resolve, reject } = promiseWithResolvers();
      queueMicrotask(async () => {
        try {
          await importFn(...params);
          if (!subtask.isResolved()) {
            await task.suspendUntil({ readyFn: () => subtask.isResolved() });
          }
          resolve(subtask.getResult());
        } catch (err) {
          reject(err);
        }
      });
      return promise;
    }
    
    // NOTE: at this point we know that we are working with an async lowered import
    
    const subtaskState = subtask.getStateNumber();
    if (subtaskState < 0 || subtaskState >= 2**4) {
      throw new Error('invalid subtask state, out of valid range');
    }
    
    subtask.setOnProgressFn(() => {
      subtask.setPendingEvent(() => {
        if (subtask.isResolved()) { subtask.deliverResolve(); }
        const event = {
          code: ASYNC_EVENT_CODE.SUBTASK,
          payload0: subtask.waitableRep(),
          payload1: subtask.getStateNumber(),
        }
        return event;
      });
    });
    
    // This is a hack to maintain backwards compatibility with
    // manually-specified async imports, used in wasm exports that are
    // not actually async (but are specified as so).
    //
    // This is not normal p3 sync behavior but instead anticipating that
    // the caller that is doing manual async will be waiting for a promise that
    // resolves to the *actual* result.
    //
    // TODO(breaking): remove once manually specified async is removed
    //
    // There are a few cases:
    // 1. sync function with async types (e.g. `f: func() -> stream<u32>`)
    // 2. async function with async types (e.g. `f: async func() -> stream<u32>`)
    // 3. async function with sync types (e.g. `f: async func() -> list<u32>`)
    // 4. sync function with non-async types (e.g. `f: func() -> list<u32>`)
    //
    // This hack *only* applies to 4 -- the case where an async JS host function
    // is supplied to a Wasm export which does *not* need to do any async abi
    // lifting/lowering (async ABI did not exist when JSPI integratiton was
    // initially merged to enable asynchronously returning values from the host)
    //
    const requiresManualAsyncResult = !isAsync && !funcTypeIsAsync && isManualAsync;
    let manualAsyncResult;
    if (requiresManualAsyncResult) {
      manualAsyncResult = promiseWithResolvers();
    }
    
    queueMicrotask(async () => {
      try {
        _debugLog('[_lowerImportBackwardsCompat()] calling lowered import', { importFn, params });
        if (createdTask) { await createdTask.enter(); }
        
        const asyncRes = await importFn(...params);
        if (requiresManualAsyncResult) {
          manualAsyncResult.resolve(subtask.getResult());
        }
        
        if (createdTask) { createdTask.resolve([asyncRes]); }
        
        
      } catch (err) {
        _debugLog("[_lowerImportBackwardsCompat()] import fn error:", err);
        if (requiresManualAsyncResult) {
          manualAsyncResult.reject(err);
          return;
        }
        task.setErrored(err);
        task.reject(err);
      }
    });
    
    if (requiresManualAsyncResult) { return manualAsyncResult.promise; }
    
    _debugLog('[_lowerImportBackwardsCompat()] async-lowered import return', {
      fnName: importFn.fnName,
      componentIdx,
      subtaskID: subtask.id(),
      waitableRep: subtask.waitableRep(),
      subtaskState,
      packedResult: Number(subtask.waitableRep()) << 4 | subtaskState,
    });
    
    return Number(subtask.waitableRep()) << 4 | subtaskState;
  }
  
  const CURRENT_TASK_MAY_BLOCK= globalThis.WebAssembly ? new globalThis.WebAssembly.Global({ value: 'i32', mutable: true }, 0) : false;
  
  
  function _liftFlatU8(ctx) {
    _debugLog('[_liftFlatU8()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i32 argument'); }
      val = ctx.params[0];
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 1) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u8 requires 1 byte)`);
    }
    
    val = new DataView(ctx.memory.buffer).getUint8(ctx.storagePtr, true);
    
    ctx.storagePtr += 1;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 1; }
    
    return [val, ctx];
  }
  
  
  function _liftFlatU16(ctx) {
    _debugLog('[_liftFlatU16()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i32 argument'); }
      val = ctx.params[0];
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 2) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u16 requires 2 bytes)`);
    }
    
    val = new DataView(ctx.memory.buffer).getUint16(ctx.storagePtr, true);
    
    ctx.storagePtr += 2;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 2; }
    
    const rem = ctx.storagePtr % 2;
    if (rem !== 0) { ctx.storagePtr += (2 - rem); }
    
    return [val, ctx];
  }
  
  
  function _liftFlatU32(ctx) {
    _debugLog('[_liftFlatU32()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length === 0) { throw new Error('expected at least a single i34 argument'); }
      // core i32 values arrive as signed numbers
      val = ctx.params[0] >>> 0;
      ctx.params = ctx.params.slice(1);
      return [val, ctx];
    }
    
    if (ctx.storageLen !== undefined && ctx.storageLen < 4) {
      throw new Error(`insufficient storage ([${ctx.storageLen}] bytes) for lift (u32 requires 4 bytes)`);
    }
    val = new DataView(ctx.memory.buffer).getUint32(ctx.storagePtr, true);
    ctx.storagePtr += 4;
    if (ctx.storageLen !== undefined) { ctx.storageLen -= 4; }
    
    return [val, ctx];
  }
  
  
  function _liftFlatStringUTF8(ctx) {
    _debugLog('[_liftFlatStringUTF8()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length < 2) { throw new Error('expected at least two u32 arguments'); }
      let offset = ctx.params[0];
      if (typeof offset === 'bigint') { offset = Number(offset); }
      if (!Number.isSafeInteger(offset)) { throw new Error('invalid offset'); }
      const len = ctx.params[1];
      if (!Number.isSafeInteger(len)) {  throw new Error('invalid len'); }
      val = TEXT_DECODER_UTF8.decode(new DataView(ctx.memory.buffer, offset, len));
      ctx.params = ctx.params.slice(2);
      return [val, ctx];
    }
    
    const rem = ctx.storagePtr % 4;
    if (rem !== 0) { ctx.storagePtr += (4 - rem); }
    
    const dv = new DataView(ctx.memory.buffer);
    const start = dv.getUint32(ctx.storagePtr, true);
    const codeUnits = dv.getUint32(ctx.storagePtr + 4, true);
    
    val = TEXT_DECODER_UTF8.decode(new Uint8Array(ctx.memory.buffer, start, codeUnits));
    
    ctx.storagePtr += 8;
    if (ctx.storageLen !== undefined) { ctx.storagelen -= 8; }
    
    return [val, ctx];
  }
  
  function _liftFlatStringUTF16(ctx) {
    _debugLog('[_liftFlatStringUTF16()] args', { ctx });
    let val;
    
    if (ctx.useDirectParams) {
      if (ctx.params.length < 2) { throw new Error('expected at least two u32 arguments'); }
      let offset = ctx.params[0];
      if (typeof offset === 'bigint') { offset = Number(offset); }
      if (!Number.isSafeInteger(offset)) {  throw new Error('invalid offset'); }
      const len = ctx.params[1];
      if (!Number.isSafeInteger(len)) {  throw new Error('invalid len'); }
      val = utf16Decoder.decode(new DataView(ctx.memory.buffer, offset, len));
      ctx.params = ctx.params.slice(2);
      return [val, ctx];
    }
    
    const data = new DataView(ctx.memory.buffer)
    const start = data.getUint32(ctx.storagePtr, vals[0], true);
    const codeUnits = data.getUint32(ctx.storagePtr, vals[0] + 4, true);
    val = utf16Decoder.decode(new Uint16Array(ctx.memory.buffer, start, codeUnits));
    ctx.storagePtr = ctx.storagePtr + 2 * codeUnits;
    if (ctx.storageLen !== undefined) { ctx.storageLen = ctx.storageLen - 2 * codeUnits }
    
    return [val, ctx];
  }
  
  function _liftFlatStringAny(ctx) {
    switch (ctx.stringEncoding) {
      case 'utf8':
      return _liftFlatStringUTF8(ctx);
      case 'utf16':
      return _liftFlatStringUTF16(ctx);
      default:
      throw new Error(`missing/unrecognized/unsupported string encoding [${ctx.stringEncoding}]`);
    }
  }
  
  const _liftFlatVariantScratch = new DataView(new ArrayBuffer(8));
  
  function _liftFlatVariant(meta) {
    const {
      caseMetas,
      variantSize32,
      variantAlign32,
      variantPayloadOffset32,
      variantFlatCount,
      variantPayloadFlatTypes,
      isEnum,
    } = meta;
    
    return function _liftFlatVariantInner(ctx) {
      _debugLog('[_liftFlatVariant()] args', { ctx });
      const origUseParams = ctx.useDirectParams;
      
      let caseIdx;
      let liftRes;
      const originalPtr = ctx.storagePtr;
      const numCases =  caseMetas.length;
      if (caseMetas.length < 256) {
        liftRes = _liftFlatU8(ctx);
      } else if (numCases >= 256 && numCases < 65536) {
        liftRes = _liftFlatU16(ctx);
      } else if (numCases >= 65536 && numCases < 4_294_967_296) {
        liftRes = _liftFlatU32(ctx);
      } else {
        throw new Error(`unsupported number of variant cases [${numCases}]`);
      }
      caseIdx = liftRes[0];
      ctx = liftRes[1];
      
      const [
      tag,
      liftFn,
      caseSize32,
      caseAlign32,
      caseFlatCount,
      caseFlatTypes,
      ] = caseMetas[caseIdx];
      
      if (variantPayloadOffset32 === undefined) {
        throw new Error('unexpectedly missing payload offset');
      }
      
      if (originalPtr !== undefined) {
        ctx.storagePtr = originalPtr + variantPayloadOffset32;
      }
      
      let val;
      if (liftFn === null) {
        val = { tag };
        // NOTE: here we need to move past the entire object in memory
        // despite moving to the payload which we now know is missing/unnecessary
        if (originalPtr !== undefined) {
          ctx.storagePtr = originalPtr + variantSize32;
        }
      } else {
        // When lifting from direct params, the payload arrives as the
        // *join* of all case flat representations: each slot whose
        // joined core type differs from the selected case's core type
        // must be reinterpreted before the payload lift
        // (see CanonicalABI `lift_flat_variant`)
        if (ctx.useDirectParams) {
          if (!variantPayloadFlatTypes || !caseFlatTypes) {
            throw new Error('missing variant flat type metadata during direct-param lift');
          }
          const scratch = _liftFlatVariantScratch;
          for (let i = 0; i < caseFlatTypes.length; i++) {
            const have = variantPayloadFlatTypes[i];
            const want = caseFlatTypes[i];
            if (have === want) { continue; }
            const val = ctx.params[i];
            if (have === 'i64' && want === 'i32') {
              ctx.params[i] = Number(BigInt.asIntN(32, val));
            } else if (have === 'i64' && want === 'f32') {
              scratch.setInt32(0, Number(BigInt.asIntN(32, val)), true);
              ctx.params[i] = scratch.getFloat32(0, true);
            } else if (have === 'i64' && want === 'f64') {
              scratch.setBigInt64(0, val, true);
              ctx.params[i] = scratch.getFloat64(0, true);
            } else if (have === 'i32' && want === 'f32') {
              scratch.setInt32(0, val, true);
              ctx.params[i] = scratch.getFloat32(0, true);
            } else {
              throw new Error(`invalid variant payload coercion [${have}] -> [${want}]`);
            }
          }
        }
        
        const [newVal, newCtx] = liftFn(ctx);
        val = { tag, val: newVal };
        ctx = newCtx;
      }
      
      if (origUseParams) {
        if (variantFlatCount === undefined || variantFlatCount === null) {
          _debugLog('[_liftFlatVariant()] variant with unknown flat count', { ctx, meta });
          throw new Error('cannot lift variant with unknown flat count');
        }
        if (caseFlatCount === undefined || caseFlatCount === null) {
          _debugLog('[_liftFlatVariant()] case with unknown flat count', { ctx, meta, case: meta.caseMetas[caseIdx] });
          throw new Error('cannot lift case with unknown flat count');
        }
        // NOTE: enums can be tightly packed and do not have a descriminant
        const remainingPayloadParams = variantFlatCount - caseFlatCount - (isEnum ? 0 : 1);
        if (remainingPayloadParams < 0) {
          throw new Error(`invalid variant flat count metadata`);
        }
        if (ctx.params.length < remainingPayloadParams) {
          throw new Error(`expected at least [${remainingPayloadParams}] remaining variant payload params, but got [${ctx.params.length}]`);
        }
        ctx.params = ctx.params.slice(remainingPayloadParams);
      }
      
      if (ctx.storagePtr !== undefined) {
        const rem = ctx.storagePtr % variantAlign32;
        if (rem !== 0) { ctx.storagePtr += variantAlign32 - rem; }
      }
      
      return [val, ctx];
    }
  }
  
  function _liftFlatEnum(meta) {
    meta.isEnum = true;
    const f = _liftFlatVariant(meta);
    return function _liftFlatEnumInner(ctx) {
      _debugLog('[_liftFlatEnum()] args', { ctx });
      const res = f(ctx);
      res[0] = res[0].tag;
      return res;
    }
  }
  
  function _lowerFlatU8(ctx) {
    _debugLog('[_lowerFlatU8()] args', ctx);
    
    if (ctx.vals.length !== 1) {
      throw new Error(`unexpected number [${ctx.vals.length}] of vals (expected 1)`);
    }
    
    _requireValidNumericPrimitive.bind('u8', ctx.vals[0]);
    
    if (!ctx.memory) { throw new Error("missing memory for lower"); }
    new DataView(ctx.memory.buffer).setUint8(ctx.storagePtr, ctx.vals[0]);
    
    ctx.storagePtr += 1;
  }
  
  function _lowerFlatU16(ctx) {
    _debugLog('[_lowerFlatU16()] args', { ctx });
    
    if (!ctx.memory) { throw new Error("missing memory for lower"); }
    if (ctx.vals.length !== 1) {
      throw new Error(`unexpected number [${ctx.vals.length}] of vals (expected 1)`);
    }
    
    const rem = ctx.storagePtr % 2;
    if (rem !== 0) { ctx.storagePtr += (2 - rem); }
    
    _requireValidNumericPrimitive.bind('u16', ctx.vals[0]);
    new DataView(ctx.memory.buffer).setUint16(ctx.storagePtr, ctx.vals[0], true);
    
    ctx.storagePtr += 2;
  }
  
  function _lowerFlatU32(ctx) {
    _debugLog('[_lowerFlatU32()] args', { ctx });
    
    if (ctx.vals.length !== 1) {
      throw new Error(`expected single value to lower, got [${ctx.vals.length}]`);
    }
    
    const rem = ctx.storagePtr % 4;
    if (rem !== 0) { ctx.storagePtr += (4 - rem); }
    
    _requireValidNumericPrimitive.bind('u32', ctx.vals[0]);
    new DataView(ctx.memory.buffer).setUint32(ctx.storagePtr, ctx.vals[0], true);
    
    ctx.storagePtr += 4;
  }
  
  function _lowerFlatU64(ctx) {
    _debugLog('[_lowerFlatU64()] args', { ctx });
    
    if (ctx.vals.length !== 1) { throw new Error('unexpected number of vals'); }
    
    const rem = ctx.storagePtr % 8;
    if (rem !== 0) { ctx.storagePtr += (8 - rem); }
    
    _requireValidNumericPrimitive.bind('u64', ctx.vals[0]);
    new DataView(ctx.memory.buffer).setBigUint64(ctx.storagePtr, ctx.vals[0], true);
    
    ctx.storagePtr += 8;
  }
  
  function _lowerFlatStringUTF8(ctx) {
    _debugLog('[_lowerFlatStringUTF8()] args', ctx);
    if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
    
    const { ptr, len } = _utf8AllocateAndEncode(ctx.vals[0], ctx.realloc, ctx.memory);
    
    const view = new DataView(ctx.memory.buffer);
    view.setUint32(ctx.storagePtr, ptr, true);
    view.setUint32(ctx.storagePtr + 4, len, true);
    
    ctx.storagePtr += 8;
  }
  
  function _lowerFlatStringUTF16(ctx) {
    _debugLog('[_lowerFlatStringUTF16()] args', { ctx });
    if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
    
    const { ptr, len } = _utf16AllocateAndEncode(ctx.vals[0], ctx.realloc, ctx.memory);
    
    const view = new DataView(ctx.memory.buffer);
    view.setUint32(ctx.storagePtr, ptr, true);
    view.setUint32(ctx.storagePtr + 4, len, true);
    
    ctx.storagePtr += 8;
  }
  
  function _lowerFlatStringAny(ctx) {
    switch (ctx.stringEncoding) {
      case 'utf8':
      return _lowerFlatStringUTF8(ctx);
      case 'utf16':
      return _lowerFlatStringUTF16(ctx);
      default:
      throw new Error(`missing/unrecognized/unsupported string encoding [${ctx.stringEncoding}]`);
    }
  }
  
  function _lowerFlatRecord(meta) {
    const { fieldMetas, size32: recordSize32, align32: recordAlign32 } = meta;
    return function _lowerFlatRecordInner(ctx) {
      _debugLog('[_lowerFlatRecord()] args', { ctx });
      
      const originalPtr = ctx.storagePtr;
      const r = ctx.vals[0];
      for (const [tag, lowerFn, size32, align32 ] of fieldMetas) {
        const rem = ctx.storagePtr % align32;
        if (rem !== 0) { ctx.storagePtr += align32 - rem; }
        
        const fieldPtr = ctx.storagePtr;
        ctx.vals = [r[tag]];
        lowerFn(ctx);
        
        ctx.storagePtr = Math.max(ctx.storagePtr, fieldPtr + size32);
      }
      
      ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + recordSize32);
      
      const rem = ctx.storagePtr % recordAlign32;
      if (rem !== 0) {
        ctx.storagePtr += recordAlign32 - rem;
      }
    }
  }
  
  function _lowerFlatVariant(meta) {
    const { variantSize32, variantAlign32, variantPayloadOffset32, caseMetas } = meta;
    
    let caseLookup = {};
    for (const [idx, meta] of caseMetas.entries()) {
      let tag = meta[0];
      caseLookup[tag] = { discriminant: idx, meta };
    }
    
    return function _lowerFlatVariantInner(ctx) {
      _debugLog('[_lowerFlatVariant()] args', { ctx });
      
      const { tag, val } = ctx.vals[0];
      const variantCase = caseLookup[tag];
      if (!variantCase) {
        throw new Error(`missing tag [${tag}] (valid tags: ${Object.keys(caseLookup)})`);
      }
      
      const [ _tag, lowerFn, caseSize32, caseAlign32, caseFlatCount ] = variantCase.meta;
      
      const originalPtr = ctx.storagePtr;
      ctx.vals = [variantCase.discriminant];
      let discLowerRes;
      if (caseMetas.length < 256) {
        discLowerRes = _lowerFlatU8(ctx);
      } else if (caseMetas.length >= 256 && caseMetas.length < 65536) {
        discLowerRes = _lowerFlatU16(ctx);
      } else if (caseMetas.length >= 65536 && caseMetas.length < 4_294_967_296) {
        discLowerRes = _lowerFlatU32(ctx);
      } else {
        throw new Error(`unsupported number of cases [${caseMetas.length}]`);
      }
      
      const payloadOffsetPtr = originalPtr + variantPayloadOffset32;
      ctx.storagePtr = payloadOffsetPtr;
      ctx.vals = [val];
      if (lowerFn) { lowerFn(ctx); }
      
      ctx.storagePtr = Math.max(ctx.storagePtr, originalPtr + variantSize32);
      
      const rem = ctx.storagePtr % variantAlign32;
      if (rem !== 0) { ctx.storagePtr += variantAlign32 - rem; }
    }
  }
  
  function _lowerFlatList(meta) {
    const {
      elemLowerFn,
      knownLen,
      size32,
      align32,
      elemSize32,
      elemAlign32,
    } = meta;
    
    if (!elemLowerFn) { throw new TypeError("missing/invalid element lower fn for list"); }
    
    return function _lowerFlatListInner(ctx) {
      _debugLog('[_lowerFlatList()] args', { ctx });
      
      if (ctx.useDirectParams) {
        if (ctx.params.length < 2) { throw new Error('insufficient params left to lower list'); }
        const storagePtr = ctx.params[0];
        const elemCount = ctx.params[1];
        ctx.params = ctx.params.slice(2);
        
        const list = ctx.vals[0];
        if (!list) { throw new Error("missing direct param value"); }
        
        const lowerCtx = {
          storagePtr,
          memory: ctx.memory,
          stringEncoding: ctx.stringEncoding,
        };
        for (let idx = 0; idx < list.length; idx++) {
          const elemPtr = storagePtr + idx * elemSize32;
          lowerCtx.storagePtr = elemPtr;
          lowerCtx.vals = list.slice(idx, idx+1);
          elemLowerFn(lowerCtx);
          lowerCtx.storagePtr = Math.max(lowerCtx.storagePtr, elemPtr + elemSize32);
        }
        ctx.storagePtr = lowerCtx.storagePtr;
        
        // TODO: implement parma-only known-length processing
        
        return;
      }
      
      // TODO(fix): is it possible to get a vals that are a addr and length here from
      // a component lower?
      
      const elems = ctx.vals[0];
      if (knownLen === undefined) {
        // unknown length
        if (!ctx.realloc) { throw new Error('missing realloc during flat string lower'); }
        const dataPtr = ctx.realloc(0, 0, elemAlign32, elemSize32 * elems.length);
        
        ctx.vals[0] = dataPtr;
        _lowerFlatU32(ctx);
        
        ctx.vals[0] = elems.length;
        _lowerFlatU32(ctx);
        
        const origPtr = ctx.storagePtr;
        ctx.storagePtr = dataPtr;
        
        for (const [idx, elem] of elems.entries()) {
          const elemPtr = dataPtr + idx * elemSize32;
          ctx.storagePtr = elemPtr;
          ctx.vals = [elem];
          elemLowerFn(ctx);
          ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + elemSize32);
        }
        
        ctx.storagePtr = origPtr;
        
      } else {
        // known length
        
        if (elems.length !== knownLen) {
          throw new TypeError(`invalid list input of length [${elems.length}], must be length [${knownLen}]`);
        }
        
        const originalPtr = ctx.storagePtr;
        for (const [idx, elem] of elems.entries()) {
          const elemPtr = originalPtr + idx * elemSize32;
          ctx.storagePtr = elemPtr;
          ctx.vals = [elem];
          elemLowerFn(ctx);
          ctx.storagePtr = Math.max(ctx.storagePtr, elemPtr + elemSize32);
        }
      }
      
      // TODO(fix): special case for u8/u16/etc, we can do a direct copy
      
      const totalSizeBytes = elems.length * size32;
      if (ctx.storageLen !== undefined && totalSizeBytes > ctx.storageLen) {
        throw new Error('not enough storage remaining for list flat lower');
      }
    }
  }
  
  function _lowerFlatEnum(meta) {
    const f = _lowerFlatVariant(meta);
    return function _lowerFlatEnumInner(ctx) {
      _debugLog('[_lowerFlatEnum()] args', { ctx });
      
      const v = ctx.vals[0];
      const isNotEnumObject = typeof v !== 'object'
      || Object.keys(v).length !== 2
      || !('tag' in v);
      if (isNotEnumObject) {
        ctx.vals[0] = { tag: v };
      }
      
      f(ctx);
    }
  }
  
  function _lowerFlatResult(meta) {
    const f = _lowerFlatVariant(meta);
    return function _lowerFlatResultInner(ctx) {
      _debugLog('[_lowerFlatResult()] args', { ctx });
      
      const v = ctx.vals[0];
      const isNotResultObject = typeof v !== 'object'
      || Object.keys(v).length !== 2
      || !('tag' in v)
      || !('ok' === v.tag || 'err' === v.tag)
      || !('val' in v);
      if (isNotResultObject) {
        ctx.vals[0] = { tag: 'ok', val: v };
      }
      
      f(ctx);
    };
  }
  
  function _trackHostOperation(operation) {
    const result = operation();
    if (result === null ||
    (typeof result !== 'object' && typeof result !== 'function') ||
    typeof result.then !== 'function') {
      return result;
    }
    
    STORE_ASYNC_STATE.pendingHostOperations++;
    return Promise.resolve(result).finally(() => {
      STORE_ASYNC_STATE.pendingHostOperations--;
      if (STORE_ASYNC_STATE.pendingHostOperations < 0) {
        throw new Error('negative pending host operation count');
      }
      for (const state of ASYNC_STATE.values()) { state.runTickLoop(); }
      _checkForDeadlock();
    });
  }
  
  function _guardMayLeave(componentIdx, fn) {
    return function (...args) {
      _checkMayLeave(componentIdx);
      return fn.apply(this, args);
    };
  }
  
  function clampGuest(i, min, max) {
    if (i < min || i > max) {
      throw new TypeError(`must be between ${min} and ${max}`);
    }
    return i;
  }
  
  
  const symbolRscHandle = Symbol('handle');
  const symbolDispose = Symbol.dispose || Symbol.for('dispose');
  
  const HANDLE_TABLES= [];
  
  
  function finalizationRegistryCreate (unregister) {
    if (typeof FinalizationRegistry === 'undefined') {
      return { unregister () {} };
    }
    return new FinalizationRegistry(unregister);
  }
  
  const hasOwnProperty = Object.prototype.hasOwnProperty;
  
  function getErrorPayload(e) {
    if (e && hasOwnProperty.call(e, 'payload')) return e.payload;
    if (e instanceof Error) throw e;
    return e;
  }
  
  function throwInvalidBool() {
    throw new TypeError('invalid variant discriminant for bool');
  }
  
  function _suspendingImport(componentIdx, fn, syncOnly = false, switchesTask = false) {
    return function (...args) {
      _checkMayLeave(componentIdx);
      const saved = CURRENT_TASK_META[componentIdx] ?? null;
      
      const savedTask = saved
      ? getCurrentTask(saved.componentIdx, saved.taskID)?.task
      : null;
      const mayBlock = savedTask
      ? (savedTask?.mayBlock() ?? (CURRENT_TASK_MAY_BLOCK.value !== 0))
      : false;
      if (!saved && !mayBlock) {
        throw new WebAssemblyRuntimeError('cannot block a synchronous task before returning');
      }
      
      if (syncOnly || !mayBlock) {
        let result;
        try {
          result = fn.apply(null, args);
        } catch (err) {
          CURRENT_TASK_META[componentIdx] = saved;
          if (!switchesTask) { CURRENT_TASK_META.current = saved; }
          throw err;
        }
        
        CURRENT_TASK_META[componentIdx] = saved;
        if (!switchesTask) { CURRENT_TASK_META.current = saved; }
        
        if (result !== null &&
        (typeof result === 'object' || typeof result === 'function') &&
        typeof result.then === 'function') {
          // The helper may already have returned a rejected promise.
          // Mark it handled before replacing it with the canonical
          // synchronous-task trap.
          Promise.resolve(result).catch(() => {});
          throw new WebAssemblyRuntimeError('cannot block a synchronous task before returning');
        }
        return result;
      }
      
      return (async () => {
        try {
          return await fn.apply(null, args);
        } finally {
          CURRENT_TASK_META[componentIdx] = saved;
          if (!switchesTask) { CURRENT_TASK_META.current = saved; }
        }
      })();
    };
  }
  
  
  const module0 = getCoreModule('guide.core.wasm');
  const module1 = getCoreModule('guide.core2.wasm');
  const module2 = getCoreModule('guide.core3.wasm');
  
  const { names, places } = imports['rea:guide/inventory'];
  
  if (names=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'names', was 'names' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  
  if (places=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'places', was 'places' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  const { documents, identifiers, providers, retainedOperations, tools } = imports['rea:guide/session'];
  
  if (documents=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'documents', was 'documents' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  
  if (identifiers=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'identifiers', was 'identifiers' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  
  if (providers=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'providers', was 'providers' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  
  if (retainedOperations=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'retainedOperations', was 'retainedOperations' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  
  if (tools=== undefined) {
    const err = new Error("unexpectedly undefined instance import 'tools', was 'tools' available at instantiation?");
    console.error("ERROR:", err.toString());
    throw err;
  }
  
  let gen= (function* _initGenerator () {
    const instanceFlags0 = new WebAssembly.Global({ value: "i32", mutable: true }, 1);
    INSTANCE_FLAGS.set(0, instanceFlags0);
    let exports0;
    let exports1;
    let memory0;
    let realloc0;
    let realloc0Async;
    
    const _trampoline2 = function(arg0) {
      _debugLog('[iface="rea:guide/session@0.1.0", function="documents"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'documents',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'result-catch-handler',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      try {
        const hostRet0 = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => documents()),
        })
        ;
        ret = hostRet0 !== null && typeof hostRet0 === 'object' && (hostRet0.tag === 'ok' || hostRet0.tag === 'err')
        ? hostRet0
        : { tag: 'ok', val: hostRet0};
      } catch (e) {
        if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
        ret = { tag: 'err', val: getErrorPayload(e) };
      }
      
      var variant4 = ret;
      switch (variant4.tag) {
        case 'ok': {
          const e = variant4.val;
          dataView(memory0).setInt8(arg0 + 0, 0, true);
          var vec2 = e;
          var len2 = vec2.length;
          var result2 = realloc0(0, 0, 4, len2 * 8);
          for (let i = 0; i < vec2.length; i++) {
            const e = vec2[i];
            const base = result2 + i * 8;
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr1= encodeRes.ptr;
            var len1 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 4, len1, true);
            dataView(memory0).setUint32(base + 0, ptr1, true);
          }
          dataView(memory0).setUint32(arg0 + 8, len2, true);
          dataView(memory0).setUint32(arg0 + 4, result2, true);
          
          break;
        }
        case 'err': {
          const e = variant4.val;
          dataView(memory0).setInt8(arg0 + 0, 1, true);
          var val3 = e;
          let enum3;
          switch (val3) {
            case 'no-target': {
              enum3 = 0;
              break;
            }
            case 'cold': {
              enum3 = 1;
              break;
            }
            case 'in-transition': {
              enum3 = 2;
              break;
            }
            case 'unsupported': {
              enum3 = 3;
              break;
            }
            case 'failed': {
              enum3 = 4;
              break;
            }
            default: {
              if ((e) instanceof Error) {
                console.error(e);
              }
              
              throw new TypeError(`"${val3}" is not one of the cases of unavailable`);
            }
          }
          dataView(memory0).setInt8(arg0 + 4, enum3, true);
          
          break;
        }
        default: {
          _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant4, valueType: typeof variant4});
          throw new TypeError('invalid variant specified for result');
        }
      }
      _debugLog('[iface="rea:guide/session@0.1.0", function="documents"][Instruction::Return]', {
        funcName: 'documents',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline2.fnName = 'rea:guide/session@0.1.0#documents';
    
    const _trampoline3 = function(arg0) {
      _debugLog('[iface="rea:guide/session@0.1.0", function="providers"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'providers',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'none',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      
      try {
        ret = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => providers()),
        })
        ;
      } catch (err) {
        
        _debugLog('[Instruction::CallInterface] error during sync call', {
          taskID: task.id(),
          subtaskID: task.getParentSubtask()?.id(),
          err,
        });
        getOrCreateAsyncState(0).markTrapped(err);
        task.setErrored(err);
        task.reject(err);
        task.exit();
        throw err;
        
      }
      
      var vec1 = ret;
      var len1 = vec1.length;
      var result1 = realloc0(0, 0, 4, len1 * 8);
      for (let i = 0; i < vec1.length; i++) {
        const e = vec1[i];
        const base = result1 + i * 8;
        var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
        var ptr0= encodeRes.ptr;
        var len0 = encodeRes.len;
        
        dataView(memory0).setUint32(base + 4, len0, true);
        dataView(memory0).setUint32(base + 0, ptr0, true);
      }
      dataView(memory0).setUint32(arg0 + 4, len1, true);
      dataView(memory0).setUint32(arg0 + 0, result1, true);
      _debugLog('[iface="rea:guide/session@0.1.0", function="providers"][Instruction::Return]', {
        funcName: 'providers',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline3.fnName = 'rea:guide/session@0.1.0#providers';
    
    const _trampoline4 = function(arg0, arg1, arg2, arg3, arg4) {
      let enum0;
      switch (arg0) {
        case 0: {
          enum0 = 'document';
          break;
        }
        case 1: {
          enum0 = 'procedure';
          break;
        }
        case 2: {
          enum0 = 'provider';
          break;
        }
        case 3: {
          enum0 = 'evidence';
          break;
        }
        case 4: {
          enum0 = 'process-capture';
          break;
        }
        case 5: {
          enum0 = 'artifact-manifest';
          break;
        }
        case 6: {
          enum0 = 'artifact-occurrence';
          break;
        }
        case 7: {
          enum0 = 'residual-unknown';
          break;
        }
        default: {
          throw new TypeError('invalid discriminant specified for Family');
        }
      }
      var ptr1 = arg1;
      var len1 = arg2;
      var result1 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr1, len1));
      _debugLog('[iface="rea:guide/session@0.1.0", function="identifiers"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'identifiers',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'result-catch-handler',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      try {
        const hostRet2 = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => identifiers(enum0, result1, arg3 >>> 0)),
        })
        ;
        ret = hostRet2 !== null && typeof hostRet2 === 'object' && (hostRet2.tag === 'ok' || hostRet2.tag === 'err')
        ? hostRet2
        : { tag: 'ok', val: hostRet2};
      } catch (e) {
        if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
        ret = { tag: 'err', val: getErrorPayload(e) };
      }
      
      var variant7 = ret;
      switch (variant7.tag) {
        case 'ok': {
          const e = variant7.val;
          dataView(memory0).setInt8(arg4 + 0, 0, true);
          var {values: v3_0, total: v3_1 } = e;
          var vec5 = v3_0;
          var len5 = vec5.length;
          var result5 = realloc0(0, 0, 4, len5 * 8);
          for (let i = 0; i < vec5.length; i++) {
            const e = vec5[i];
            const base = result5 + i * 8;
            var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
            var ptr4= encodeRes.ptr;
            var len4 = encodeRes.len;
            
            dataView(memory0).setUint32(base + 4, len4, true);
            dataView(memory0).setUint32(base + 0, ptr4, true);
          }
          dataView(memory0).setUint32(arg4 + 12, len5, true);
          dataView(memory0).setUint32(arg4 + 8, result5, true);
          dataView(memory0).setBigInt64(arg4 + 16, toUint64(v3_1), true);
          
          break;
        }
        case 'err': {
          const e = variant7.val;
          dataView(memory0).setInt8(arg4 + 0, 1, true);
          var val6 = e;
          let enum6;
          switch (val6) {
            case 'no-target': {
              enum6 = 0;
              break;
            }
            case 'cold': {
              enum6 = 1;
              break;
            }
            case 'in-transition': {
              enum6 = 2;
              break;
            }
            case 'unsupported': {
              enum6 = 3;
              break;
            }
            case 'failed': {
              enum6 = 4;
              break;
            }
            default: {
              if ((e) instanceof Error) {
                console.error(e);
              }
              
              throw new TypeError(`"${val6}" is not one of the cases of unavailable`);
            }
          }
          dataView(memory0).setInt8(arg4 + 8, enum6, true);
          
          break;
        }
        default: {
          _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant7, valueType: typeof variant7});
          throw new TypeError('invalid variant specified for result');
        }
      }
      _debugLog('[iface="rea:guide/session@0.1.0", function="identifiers"][Instruction::Return]', {
        funcName: 'identifiers',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline4.fnName = 'rea:guide/session@0.1.0#identifiers';
    
    const _trampoline5 = function(arg0) {
      _debugLog('[iface="rea:guide/session@0.1.0", function="tools"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'tools',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'none',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      
      try {
        ret = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => tools()),
        })
        ;
      } catch (err) {
        
        _debugLog('[Instruction::CallInterface] error during sync call', {
          taskID: task.id(),
          subtaskID: task.getParentSubtask()?.id(),
          err,
        });
        getOrCreateAsyncState(0).markTrapped(err);
        task.setErrored(err);
        task.reject(err);
        task.exit();
        throw err;
        
      }
      
      var vec1 = ret;
      var len1 = vec1.length;
      var result1 = realloc0(0, 0, 4, len1 * 8);
      for (let i = 0; i < vec1.length; i++) {
        const e = vec1[i];
        const base = result1 + i * 8;
        var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
        var ptr0= encodeRes.ptr;
        var len0 = encodeRes.len;
        
        dataView(memory0).setUint32(base + 4, len0, true);
        dataView(memory0).setUint32(base + 0, ptr0, true);
      }
      dataView(memory0).setUint32(arg0 + 4, len1, true);
      dataView(memory0).setUint32(arg0 + 0, result1, true);
      _debugLog('[iface="rea:guide/session@0.1.0", function="tools"][Instruction::Return]', {
        funcName: 'tools',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline5.fnName = 'rea:guide/session@0.1.0#tools';
    
    const _trampoline6 = function(arg0) {
      _debugLog('[iface="rea:guide/session@0.1.0", function="retained-operations"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'retainedOperations',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'none',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      
      try {
        ret = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => retainedOperations()),
        })
        ;
      } catch (err) {
        
        _debugLog('[Instruction::CallInterface] error during sync call', {
          taskID: task.id(),
          subtaskID: task.getParentSubtask()?.id(),
          err,
        });
        getOrCreateAsyncState(0).markTrapped(err);
        task.setErrored(err);
        task.reject(err);
        task.exit();
        throw err;
        
      }
      
      var vec1 = ret;
      var len1 = vec1.length;
      var result1 = realloc0(0, 0, 4, len1 * 8);
      for (let i = 0; i < vec1.length; i++) {
        const e = vec1[i];
        const base = result1 + i * 8;
        var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
        var ptr0= encodeRes.ptr;
        var len0 = encodeRes.len;
        
        dataView(memory0).setUint32(base + 4, len0, true);
        dataView(memory0).setUint32(base + 0, ptr0, true);
      }
      dataView(memory0).setUint32(arg0 + 4, len1, true);
      dataView(memory0).setUint32(arg0 + 0, result1, true);
      _debugLog('[iface="rea:guide/session@0.1.0", function="retained-operations"][Instruction::Return]', {
        funcName: 'retained-operations',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline6.fnName = 'rea:guide/session@0.1.0#retainedOperations';
    
    const _trampoline7 = function(arg0, arg1, arg2) {
      _debugLog('[iface="rea:guide/inventory@0.1.0", function="places"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'places',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'result-catch-handler',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      try {
        const hostRet0 = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => places(arg0 >>> 0, arg1 >>> 0)),
        })
        ;
        ret = hostRet0 !== null && typeof hostRet0 === 'object' && (hostRet0.tag === 'ok' || hostRet0.tag === 'err')
        ? hostRet0
        : { tag: 'ok', val: hostRet0};
      } catch (e) {
        if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
        ret = { tag: 'err', val: getErrorPayload(e) };
      }
      
      var variant5 = ret;
      switch (variant5.tag) {
        case 'ok': {
          const e = variant5.val;
          dataView(memory0).setInt8(arg2 + 0, 0, true);
          var {text: v1_0, ends: v1_1 } = e;
          
          var encodeRes = _utf8AllocateAndEncode(v1_0, realloc0, memory0);
          var ptr2= encodeRes.ptr;
          var len2 = encodeRes.len;
          
          dataView(memory0).setUint32(arg2 + 8, len2, true);
          dataView(memory0).setUint32(arg2 + 4, ptr2, true);
          var val3 = v1_1;
          var len3 = val3.length;
          var ptr3 = realloc0(0, 0, 4, len3 * 4);
          
          let valData3;
          const valLenBytes3 = len3 * 4;
          if (Array.isArray(val3)) {
            // Regular array likely containing numbers, write values to memory
            let offset = 0;
            const dv3 = new DataView(memory0.buffer);
            for (const v of val3) {
              _requireValidNumericPrimitive.bind(null, 'u32')(v);
              dv3.setUint32(ptr3+ offset, v, true);
              offset += 4;
            }
          } else {
            // TypedArray / ArrayBuffer-like, direct copy
            valData3 = new Uint8Array(val3.buffer || val3, val3.byteOffset, valLenBytes3);
            const out3 = new Uint8Array(memory0.buffer, ptr3, valLenBytes3);
            out3.set(valData3);
          }
          
          dataView(memory0).setUint32(arg2 + 16, len3, true);
          dataView(memory0).setUint32(arg2 + 12, ptr3, true);
          
          break;
        }
        case 'err': {
          const e = variant5.val;
          dataView(memory0).setInt8(arg2 + 0, 1, true);
          var val4 = e;
          let enum4;
          switch (val4) {
            case 'no-target': {
              enum4 = 0;
              break;
            }
            case 'cold': {
              enum4 = 1;
              break;
            }
            case 'in-transition': {
              enum4 = 2;
              break;
            }
            case 'unsupported': {
              enum4 = 3;
              break;
            }
            case 'failed': {
              enum4 = 4;
              break;
            }
            default: {
              if ((e) instanceof Error) {
                console.error(e);
              }
              
              throw new TypeError(`"${val4}" is not one of the cases of unavailable`);
            }
          }
          dataView(memory0).setInt8(arg2 + 4, enum4, true);
          
          break;
        }
        default: {
          _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant5, valueType: typeof variant5});
          throw new TypeError('invalid variant specified for result');
        }
      }
      _debugLog('[iface="rea:guide/inventory@0.1.0", function="places"][Instruction::Return]', {
        funcName: 'places',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline7.fnName = 'rea:guide/inventory@0.1.0#places';
    
    const _trampoline8 = function(arg0, arg1, arg2) {
      _debugLog('[iface="rea:guide/inventory@0.1.0", function="names"] [Instruction::CallInterface] (sync, @ enter)');
      const hostProvided = true;
      
      let parentTask;
      let task;
      let subtask;
      
      const createTask = () => {
        const results = createNewCurrentTask({
          componentIdx: -1,
          isAsync: false,
          entryFnName: 'names',
          getCallbackFn: () => null,
          callbackFnName: null,
          errHandling: 'result-catch-handler',
          callingWasmExport: false,
        });
        task = results[0];
      };
      
      taskCreation: {
        parentTask = getCurrentTask(
        0,
        _getGlobalCurrentTaskMeta(0)?.taskID,
        )?.task;
        
        if (!parentTask) {
          createTask();
          break taskCreation;
        }
        
        createTask();
        
        if (hostProvided) {
          subtask = parentTask.getLatestSubtask();
          if (!subtask) {
            throw new Error(`Missing subtask (in parent task [${parentTask.id()}]) for host import, has the import been lowered? (ensure asyncImports are set properly)`);
          }
          task.setParentSubtask(subtask);
        }
      }
      
      const started = task.enterSync();
      let ret;
      
      try {
        const hostRet0 = _withGlobalCurrentTaskMeta({
          componentIdx: task.componentIdx(),
          taskID: task.id(),
          fn: () => _trackHostOperation(() => names(arg0 >>> 0, arg1 >>> 0)),
        })
        ;
        ret = hostRet0 !== null && typeof hostRet0 === 'object' && (hostRet0.tag === 'ok' || hostRet0.tag === 'err')
        ? hostRet0
        : { tag: 'ok', val: hostRet0};
      } catch (e) {
        if (getOrCreateAsyncState(0).markTrapped(e)) { throw e; }
        ret = { tag: 'err', val: getErrorPayload(e) };
      }
      
      var variant6 = ret;
      switch (variant6.tag) {
        case 'ok': {
          const e = variant6.val;
          dataView(memory0).setInt8(arg2 + 0, 0, true);
          var {text: v1_0, ends: v1_1, places: v1_2 } = e;
          
          var encodeRes = _utf8AllocateAndEncode(v1_0, realloc0, memory0);
          var ptr2= encodeRes.ptr;
          var len2 = encodeRes.len;
          
          dataView(memory0).setUint32(arg2 + 8, len2, true);
          dataView(memory0).setUint32(arg2 + 4, ptr2, true);
          var val3 = v1_1;
          var len3 = val3.length;
          var ptr3 = realloc0(0, 0, 4, len3 * 4);
          
          let valData3;
          const valLenBytes3 = len3 * 4;
          if (Array.isArray(val3)) {
            // Regular array likely containing numbers, write values to memory
            let offset = 0;
            const dv3 = new DataView(memory0.buffer);
            for (const v of val3) {
              _requireValidNumericPrimitive.bind(null, 'u32')(v);
              dv3.setUint32(ptr3+ offset, v, true);
              offset += 4;
            }
          } else {
            // TypedArray / ArrayBuffer-like, direct copy
            valData3 = new Uint8Array(val3.buffer || val3, val3.byteOffset, valLenBytes3);
            const out3 = new Uint8Array(memory0.buffer, ptr3, valLenBytes3);
            out3.set(valData3);
          }
          
          dataView(memory0).setUint32(arg2 + 16, len3, true);
          dataView(memory0).setUint32(arg2 + 12, ptr3, true);
          var val4 = v1_2;
          var len4 = val4.length;
          var ptr4 = realloc0(0, 0, 4, len4 * 4);
          
          let valData4;
          const valLenBytes4 = len4 * 4;
          if (Array.isArray(val4)) {
            // Regular array likely containing numbers, write values to memory
            let offset = 0;
            const dv4 = new DataView(memory0.buffer);
            for (const v of val4) {
              _requireValidNumericPrimitive.bind(null, 'u32')(v);
              dv4.setUint32(ptr4+ offset, v, true);
              offset += 4;
            }
          } else {
            // TypedArray / ArrayBuffer-like, direct copy
            valData4 = new Uint8Array(val4.buffer || val4, val4.byteOffset, valLenBytes4);
            const out4 = new Uint8Array(memory0.buffer, ptr4, valLenBytes4);
            out4.set(valData4);
          }
          
          dataView(memory0).setUint32(arg2 + 24, len4, true);
          dataView(memory0).setUint32(arg2 + 20, ptr4, true);
          
          break;
        }
        case 'err': {
          const e = variant6.val;
          dataView(memory0).setInt8(arg2 + 0, 1, true);
          var val5 = e;
          let enum5;
          switch (val5) {
            case 'no-target': {
              enum5 = 0;
              break;
            }
            case 'cold': {
              enum5 = 1;
              break;
            }
            case 'in-transition': {
              enum5 = 2;
              break;
            }
            case 'unsupported': {
              enum5 = 3;
              break;
            }
            case 'failed': {
              enum5 = 4;
              break;
            }
            default: {
              if ((e) instanceof Error) {
                console.error(e);
              }
              
              throw new TypeError(`"${val5}" is not one of the cases of unavailable`);
            }
          }
          dataView(memory0).setInt8(arg2 + 4, enum5, true);
          
          break;
        }
        default: {
          _debugLog("ERROR: invalid value (expected result as object with 'tag' member)", { value: variant6, valueType: typeof variant6});
          throw new TypeError('invalid variant specified for result');
        }
      }
      _debugLog('[iface="rea:guide/inventory@0.1.0", function="names"][Instruction::Return]', {
        funcName: 'names',
        paramCount: 0,
        async: false,
        postReturn: false
      });
      task.resolve([ret]);
      task.exit();
    }
    _trampoline8.fnName = 'rea:guide/inventory@0.1.0#names';
    let exports2;
    let postReturn0;
    let postReturn0Async;
    let postReturn1;
    let postReturn1Async;
    let postReturn2;
    let postReturn2Async;
    let postReturn3;
    let postReturn3Async;
    let postReturn4;
    let postReturn4Async;
    let postReturn5;
    let postReturn5Async;
    let postReturn6;
    let postReturn6Async;
    let postReturn7;
    let postReturn7Async;
    let postReturn8;
    let postReturn8Async;
    let postReturn9;
    let postReturn9Async;
    let postReturn10;
    let postReturn10Async;
    let postReturn11;
    let postReturn11Async;
    let postReturn12;
    let postReturn12Async;
    let postReturn13;
    let postReturn13Async;
    let postReturn14;
    let postReturn14Async;
    let postReturn15;
    let postReturn15Async;
    let postReturn16;
    let postReturn16Async;
    let postReturn17;
    let postReturn17Async;
    let prompts010Catalogue;
    
    function catalogue() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'prompts010Catalogue',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            _debugLog('[iface="rea:guide/prompts@0.1.0", function="catalogue"][Instruction::CallWasm] enter', {
              funcName: 'catalogue',
              paramCount: 0,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => prompts010Catalogue(),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var len9 = dataView(memory0).getUint32(ret + 4, true);
            var base9 = dataView(memory0).getUint32(ret + 0, true);
            if (base9 % 4 !== 0) throw new TypeError(`list pointer [${base9}] is not aligned to 4`);
            var result9 = [];
            for (let i = 0; i < len9; i++) {
              const base = base9 + i * 32;
              var ptr0 = dataView(memory0).getUint32(base + 0, true);
              var len0 = dataView(memory0).getUint32(base + 4, true);
              var result0 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr0, len0));
              var ptr1 = dataView(memory0).getUint32(base + 8, true);
              var len1 = dataView(memory0).getUint32(base + 12, true);
              var result1 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr1, len1));
              var ptr2 = dataView(memory0).getUint32(base + 16, true);
              var len2 = dataView(memory0).getUint32(base + 20, true);
              var result2 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr2, len2));
              var len8 = dataView(memory0).getUint32(base + 28, true);
              var base8 = dataView(memory0).getUint32(base + 24, true);
              if (base8 % 4 !== 0) throw new TypeError(`list pointer [${base8}] is not aligned to 4`);
              var result8 = [];
              for (let i = 0; i < len8; i++) {
                const base = base8 + i * 20;
                var ptr3 = dataView(memory0).getUint32(base + 0, true);
                var len3 = dataView(memory0).getUint32(base + 4, true);
                var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
                var ptr4 = dataView(memory0).getUint32(base + 8, true);
                var len4 = dataView(memory0).getUint32(base + 12, true);
                var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr4, len4));
                var bool5 = dataView(memory0).getUint8(base + 16, true);
                let variant7;
                switch (dataView(memory0).getUint8(base + 17, true)) {
                  case 0: {
                    variant7 = undefined;
                    break;
                  }
                  case 1: {
                    let enum6;
                    switch (dataView(memory0).getUint8(base + 18, true)) {
                      case 0: {
                        enum6 = 'document';
                        break;
                      }
                      case 1: {
                        enum6 = 'procedure';
                        break;
                      }
                      case 2: {
                        enum6 = 'provider';
                        break;
                      }
                      case 3: {
                        enum6 = 'evidence';
                        break;
                      }
                      case 4: {
                        enum6 = 'process-capture';
                        break;
                      }
                      case 5: {
                        enum6 = 'artifact-manifest';
                        break;
                      }
                      case 6: {
                        enum6 = 'artifact-occurrence';
                        break;
                      }
                      case 7: {
                        enum6 = 'residual-unknown';
                        break;
                      }
                      default: {
                        throw new TypeError('invalid discriminant specified for Family');
                      }
                    }
                    variant7 = enum6;
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                result8.push({
                  name: result3,
                  description: result4,
                  required: bool5 == 0 ? false : (bool5 == 1 ? true : throwInvalidBool()),
                  completes: variant7,
                });
              }
              result9.push({
                name: result0,
                title: result1,
                description: result2,
                arguments: result8,
              });
            }
            _debugLog('[iface="rea:guide/prompts@0.1.0", function="catalogue"][Instruction::Return]', {
              funcName: 'catalogue',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([result9]);
            const retCopy = result9;
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn0(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let prompts010Render;
    
    function render(arg0, arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'prompts010Render',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var encodeRes = _utf8AllocateAndEncode(arg0, realloc0, memory0);
            var ptr0= encodeRes.ptr;
            var len0 = encodeRes.len;
            
            var vec4 = arg1;
            var len4 = vec4.length;
            var result4 = realloc0(0, 0, 4, len4 * 16);
            for (let i = 0; i < vec4.length; i++) {
              const e = vec4[i];
              const base = result4 + i * 16;var [tuple1_0, tuple1_1] = e;
              
              var encodeRes = _utf8AllocateAndEncode(tuple1_0, realloc0, memory0);
              var ptr2= encodeRes.ptr;
              var len2 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len2, true);
              dataView(memory0).setUint32(base + 0, ptr2, true);
              
              var encodeRes = _utf8AllocateAndEncode(tuple1_1, realloc0, memory0);
              var ptr3= encodeRes.ptr;
              var len3 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 12, len3, true);
              dataView(memory0).setUint32(base + 8, ptr3, true);
            }
            _debugLog('[iface="rea:guide/prompts@0.1.0", function="render"][Instruction::CallWasm] enter', {
              funcName: 'render',
              paramCount: 4,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => prompts010Render(ptr0, len0, result4, len4),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant10;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var ptr5 = dataView(memory0).getUint32(ret + 4, true);
                var len5 = dataView(memory0).getUint32(ret + 8, true);
                var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                var ptr6 = dataView(memory0).getUint32(ret + 12, true);
                var len6 = dataView(memory0).getUint32(ret + 16, true);
                var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
                variant10= {
                  tag: 'ok',
                  val: {
                    description: result5,
                    text: result6,
                  }
                };
                break;
              }
              case 1: {
                let enum7;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum7 = 'unknown-prompt';
                    break;
                  }
                  case 1: {
                    enum7 = 'missing-argument';
                    break;
                  }
                  case 2: {
                    enum7 = 'blank-argument';
                    break;
                  }
                  case 3: {
                    enum7 = 'malformed-input';
                    break;
                  }
                  case 4: {
                    enum7 = 'out-of-turn';
                    break;
                  }
                  case 5: {
                    enum7 = 'other';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for FaultCode');
                  }
                }
                var ptr8 = dataView(memory0).getUint32(ret + 8, true);
                var len8 = dataView(memory0).getUint32(ret + 12, true);
                var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr8, len8));
                var ptr9 = dataView(memory0).getUint32(ret + 16, true);
                var len9 = dataView(memory0).getUint32(ret + 20, true);
                var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
                variant10= {
                  tag: 'err',
                  val: {
                    code: enum7,
                    field: result8,
                    detail: result9,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/prompts@0.1.0", function="render"][Instruction::Return]', {
              funcName: 'render',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant10;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn1(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let completion010Source;
    
    function source(arg0, arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'completion010Source',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var encodeRes = _utf8AllocateAndEncode(arg0, realloc0, memory0);
            var ptr0= encodeRes.ptr;
            var len0 = encodeRes.len;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr1= encodeRes.ptr;
            var len1 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/completion@0.1.0", function="source"][Instruction::CallWasm] enter', {
              funcName: 'source',
              paramCount: 4,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => completion010Source(ptr0, len0, ptr1, len1),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant7;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                let variant3;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    variant3 = undefined;
                    break;
                  }
                  case 1: {
                    let enum2;
                    switch (dataView(memory0).getUint8(ret + 5, true)) {
                      case 0: {
                        enum2 = 'document';
                        break;
                      }
                      case 1: {
                        enum2 = 'procedure';
                        break;
                      }
                      case 2: {
                        enum2 = 'provider';
                        break;
                      }
                      case 3: {
                        enum2 = 'evidence';
                        break;
                      }
                      case 4: {
                        enum2 = 'process-capture';
                        break;
                      }
                      case 5: {
                        enum2 = 'artifact-manifest';
                        break;
                      }
                      case 6: {
                        enum2 = 'artifact-occurrence';
                        break;
                      }
                      case 7: {
                        enum2 = 'residual-unknown';
                        break;
                      }
                      default: {
                        throw new TypeError('invalid discriminant specified for Family');
                      }
                    }
                    variant3 = enum2;
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                variant7= {
                  tag: 'ok',
                  val: variant3
                };
                break;
              }
              case 1: {
                let enum4;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum4 = 'unknown-prompt';
                    break;
                  }
                  case 1: {
                    enum4 = 'missing-argument';
                    break;
                  }
                  case 2: {
                    enum4 = 'blank-argument';
                    break;
                  }
                  case 3: {
                    enum4 = 'malformed-input';
                    break;
                  }
                  case 4: {
                    enum4 = 'out-of-turn';
                    break;
                  }
                  case 5: {
                    enum4 = 'other';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for FaultCode');
                  }
                }
                var ptr5 = dataView(memory0).getUint32(ret + 8, true);
                var len5 = dataView(memory0).getUint32(ret + 12, true);
                var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                var ptr6 = dataView(memory0).getUint32(ret + 16, true);
                var len6 = dataView(memory0).getUint32(ret + 20, true);
                var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
                variant7= {
                  tag: 'err',
                  val: {
                    code: enum4,
                    field: result5,
                    detail: result6,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/completion@0.1.0", function="source"][Instruction::Return]', {
              funcName: 'source',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant7;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn2(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let completion010Complete;
    
    function complete(arg0) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'completion010Complete',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            var {prompt: v0_0, argument: v0_1, value: v0_2, context: v0_3 } = arg0;
            
            var encodeRes = _utf8AllocateAndEncode(v0_0, realloc0, memory0);
            var ptr1= encodeRes.ptr;
            var len1 = encodeRes.len;
            
            
            var encodeRes = _utf8AllocateAndEncode(v0_1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            
            var encodeRes = _utf8AllocateAndEncode(v0_2, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            var vec7 = v0_3;
            var len7 = vec7.length;
            var result7 = realloc0(0, 0, 4, len7 * 16);
            for (let i = 0; i < vec7.length; i++) {
              const e = vec7[i];
              const base = result7 + i * 16;var [tuple4_0, tuple4_1] = e;
              
              var encodeRes = _utf8AllocateAndEncode(tuple4_0, realloc0, memory0);
              var ptr5= encodeRes.ptr;
              var len5 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len5, true);
              dataView(memory0).setUint32(base + 0, ptr5, true);
              
              var encodeRes = _utf8AllocateAndEncode(tuple4_1, realloc0, memory0);
              var ptr6= encodeRes.ptr;
              var len6 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 12, len6, true);
              dataView(memory0).setUint32(base + 8, ptr6, true);
            }
            _debugLog('[iface="rea:guide/completion@0.1.0", function="complete"][Instruction::CallWasm] enter', {
              funcName: 'complete',
              paramCount: 8,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => completion010Complete(ptr1, len1, ptr2, len2, ptr3, len3, result7, len7),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant15;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len9 = dataView(memory0).getUint32(ret + 12, true);
                var base9 = dataView(memory0).getUint32(ret + 8, true);
                if (base9 % 4 !== 0) throw new TypeError(`list pointer [${base9}] is not aligned to 4`);
                var result9 = [];
                for (let i = 0; i < len9; i++) {
                  const base = base9 + i * 8;
                  var ptr8 = dataView(memory0).getUint32(base + 0, true);
                  var len8 = dataView(memory0).getUint32(base + 4, true);
                  var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr8, len8));
                  result9.push(result8);
                }
                let variant10;
                switch (dataView(memory0).getUint8(ret + 16, true)) {
                  case 0: {
                    variant10 = undefined;
                    break;
                  }
                  case 1: {
                    variant10 = BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(ret + 24, true)));
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                var bool11 = dataView(memory0).getUint8(ret + 32, true);
                variant15= {
                  tag: 'ok',
                  val: {
                    values: result9,
                    total: variant10,
                    hasMore: bool11 == 0 ? false : (bool11 == 1 ? true : throwInvalidBool()),
                  }
                };
                break;
              }
              case 1: {
                let enum12;
                switch (dataView(memory0).getUint8(ret + 8, true)) {
                  case 0: {
                    enum12 = 'unknown-prompt';
                    break;
                  }
                  case 1: {
                    enum12 = 'missing-argument';
                    break;
                  }
                  case 2: {
                    enum12 = 'blank-argument';
                    break;
                  }
                  case 3: {
                    enum12 = 'malformed-input';
                    break;
                  }
                  case 4: {
                    enum12 = 'out-of-turn';
                    break;
                  }
                  case 5: {
                    enum12 = 'other';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for FaultCode');
                  }
                }
                var ptr13 = dataView(memory0).getUint32(ret + 12, true);
                var len13 = dataView(memory0).getUint32(ret + 16, true);
                var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                var ptr14 = dataView(memory0).getUint32(ret + 20, true);
                var len14 = dataView(memory0).getUint32(ret + 24, true);
                var result14 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr14, len14));
                variant15= {
                  tag: 'err',
                  val: {
                    code: enum12,
                    field: result13,
                    detail: result14,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/completion@0.1.0", function="complete"][Instruction::Return]', {
              funcName: 'complete',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant15;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn3(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let procedures010Begin;
    
    function begin(arg0) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'procedures010Begin',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            var vec2 = arg0;
            var len2 = vec2.length;
            var result2 = realloc0(0, 0, 8, len2 * 48);
            for (let i = 0; i < vec2.length; i++) {
              const e = vec2[i];
              const base = result2 + i * 48;var {document: v0_0, places: v0_1, placeBytes: v0_2, names: v0_3, nameBytes: v0_4, namingComplete: v0_5 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v0_0, realloc0, memory0);
              var ptr1= encodeRes.ptr;
              var len1 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len1, true);
              dataView(memory0).setUint32(base + 0, ptr1, true);
              dataView(memory0).setInt32(base + 8, toUint32(v0_1), true);
              dataView(memory0).setBigInt64(base + 16, toUint64(v0_2), true);
              dataView(memory0).setInt32(base + 24, toUint32(v0_3), true);
              dataView(memory0).setBigInt64(base + 32, toUint64(v0_4), true);
              dataView(memory0).setInt8(base + 40, v0_5 ? 1 : 0, true);
            }
            _debugLog('[iface="rea:guide/procedures@0.1.0", function="begin"][Instruction::CallWasm] enter', {
              funcName: 'begin',
              paramCount: 2,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => procedures010Begin(result2, len2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant6;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                variant6= {
                  tag: 'ok',
                  val: undefined
                };
                break;
              }
              case 1: {
                let enum3;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum3 = 'unknown-prompt';
                    break;
                  }
                  case 1: {
                    enum3 = 'missing-argument';
                    break;
                  }
                  case 2: {
                    enum3 = 'blank-argument';
                    break;
                  }
                  case 3: {
                    enum3 = 'malformed-input';
                    break;
                  }
                  case 4: {
                    enum3 = 'out-of-turn';
                    break;
                  }
                  case 5: {
                    enum3 = 'other';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for FaultCode');
                  }
                }
                var ptr4 = dataView(memory0).getUint32(ret + 8, true);
                var len4 = dataView(memory0).getUint32(ret + 12, true);
                var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr4, len4));
                var ptr5 = dataView(memory0).getUint32(ret + 16, true);
                var len5 = dataView(memory0).getUint32(ret + 20, true);
                var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                variant6= {
                  tag: 'err',
                  val: {
                    code: enum3,
                    field: result4,
                    detail: result5,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/procedures@0.1.0", function="begin"][Instruction::Return]', {
              funcName: 'begin',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant6;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn2(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let procedures010Advance;
    
    function advance() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'procedures010Advance',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            _debugLog('[iface="rea:guide/procedures@0.1.0", function="advance"][Instruction::CallWasm] enter', {
              funcName: 'advance',
              paramCount: 0,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => procedures010Advance(),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant4;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var bool0 = dataView(memory0).getUint8(ret + 24, true);
                variant4= {
                  tag: 'ok',
                  val: {
                    doneUnits: BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(ret + 8, true))),
                    allUnits: BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(ret + 16, true))),
                    done: bool0 == 0 ? false : (bool0 == 1 ? true : throwInvalidBool()),
                  }
                };
                break;
              }
              case 1: {
                let enum1;
                switch (dataView(memory0).getUint8(ret + 8, true)) {
                  case 0: {
                    enum1 = 'unknown-prompt';
                    break;
                  }
                  case 1: {
                    enum1 = 'missing-argument';
                    break;
                  }
                  case 2: {
                    enum1 = 'blank-argument';
                    break;
                  }
                  case 3: {
                    enum1 = 'malformed-input';
                    break;
                  }
                  case 4: {
                    enum1 = 'out-of-turn';
                    break;
                  }
                  case 5: {
                    enum1 = 'other';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for FaultCode');
                  }
                }
                var ptr2 = dataView(memory0).getUint32(ret + 12, true);
                var len2 = dataView(memory0).getUint32(ret + 16, true);
                var result2 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr2, len2));
                var ptr3 = dataView(memory0).getUint32(ret + 20, true);
                var len3 = dataView(memory0).getUint32(ret + 24, true);
                var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
                variant4= {
                  tag: 'err',
                  val: {
                    code: enum1,
                    field: result2,
                    detail: result3,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/procedures@0.1.0", function="advance"][Instruction::Return]', {
              funcName: 'advance',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant4;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn4(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    
    const handleTable0 = [T_FLAG, 0];
    handleTable0._createdReps = new Set();
    handleTable0._componentIdx = 0;
    const finalizationRegistry0 = finalizationRegistryCreate((handle) => {
      const { rep } = rscTableRemove(handleTable0, handle);
      exports0['7'](rep);
    });
    
    HANDLE_TABLES[0] = handleTable0;
    let toggle010MethodSwitchAdopt;
    
    class Switch{
      constructor () {
        throw new Error('"Switch" resource does not define a constructor');
      }
    }
    
    Switch.prototype.adopt = function adopt(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchAdopt',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var variant3 = arg1;
            let variant3_0;
            let variant3_1;
            let variant3_2;
            if (variant3 === null || variant3=== undefined) {
              variant3_0 = 0;
              variant3_1 = 0;
              variant3_2 = 0;
            } else {
              const e = variant3;
              var val2 = e;
              var len2 = Array.isArray(val2) ? val2.length : val2.byteLength;
              var ptr2 = realloc0(0, 0, 1, len2 * 1);
              
              let valData2;
              const valLenBytes2 = len2 * 1;
              if (Array.isArray(val2)) {
                // Regular array likely containing numbers, write values to memory
                let offset = 0;
                const dv2 = new DataView(memory0.buffer);
                for (const v of val2) {
                  _requireValidNumericPrimitive.bind(null, 'u8')(v);
                  dv2.setUint8(ptr2+ offset, v, true);
                  offset += 1;
                }
              } else {
                // TypedArray / ArrayBuffer-like, direct copy
                valData2 = new Uint8Array(val2.buffer || val2, val2.byteOffset, valLenBytes2);
                const out2 = new Uint8Array(memory0.buffer, ptr2, valLenBytes2);
                out2.set(valData2);
              }
              
              variant3_0 = 1;
              variant3_1 = ptr2;
              variant3_2 = len2;
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.adopt"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.adopt',
              paramCount: 4,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchAdopt(handle0, variant3_0, variant3_1, variant3_2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var len5 = dataView(memory0).getUint32(ret + 4, true);
            var base5 = dataView(memory0).getUint32(ret + 0, true);
            if (base5 % 4 !== 0) throw new TypeError(`list pointer [${base5}] is not aligned to 4`);
            var result5 = [];
            for (let i = 0; i < len5; i++) {
              const base = base5 + i * 8;
              var ptr4 = dataView(memory0).getUint32(base + 0, true);
              var len4 = dataView(memory0).getUint32(base + 4, true);
              var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr4, len4));
              result5.push(result4);
            }
            var len8 = dataView(memory0).getUint32(ret + 12, true);
            var base8 = dataView(memory0).getUint32(ret + 8, true);
            if (base8 % 4 !== 0) throw new TypeError(`list pointer [${base8}] is not aligned to 4`);
            var result8 = [];
            for (let i = 0; i < len8; i++) {
              const base = base8 + i * 8;
              var len7 = dataView(memory0).getUint32(base + 4, true);
              var base7 = dataView(memory0).getUint32(base + 0, true);
              if (base7 % 4 !== 0) throw new TypeError(`list pointer [${base7}] is not aligned to 4`);
              var result7 = [];
              for (let i = 0; i < len7; i++) {
                const base = base7 + i * 8;
                var ptr6 = dataView(memory0).getUint32(base + 0, true);
                var len6 = dataView(memory0).getUint32(base + 4, true);
                var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
                result7.push(result6);
              }
              result8.push(result7);
            }
            var len16 = dataView(memory0).getUint32(ret + 20, true);
            var base16 = dataView(memory0).getUint32(ret + 16, true);
            if (base16 % 4 !== 0) throw new TypeError(`list pointer [${base16}] is not aligned to 4`);
            var result16 = [];
            for (let i = 0; i < len16; i++) {
              const base = base16 + i * 40;
              var ptr9 = dataView(memory0).getUint32(base + 0, true);
              var len9 = dataView(memory0).getUint32(base + 4, true);
              var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
              var ptr10 = dataView(memory0).getUint32(base + 8, true);
              var len10 = dataView(memory0).getUint32(base + 12, true);
              var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
              var bool11 = dataView(memory0).getUint8(base + 16, true);
              let variant12;
              switch (dataView(memory0).getUint8(base + 20, true)) {
                case 0: {
                  variant12 = undefined;
                  break;
                }
                case 1: {
                  variant12 = dataView(memory0).getInt32(base + 24, true) >>> 0;
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              let variant15;
              switch (dataView(memory0).getUint8(base + 28, true)) {
                case 0: {
                  variant15 = undefined;
                  break;
                }
                case 1: {
                  var len14 = dataView(memory0).getUint32(base + 36, true);
                  var base14 = dataView(memory0).getUint32(base + 32, true);
                  if (base14 % 4 !== 0) throw new TypeError(`list pointer [${base14}] is not aligned to 4`);
                  var result14 = [];
                  for (let i = 0; i < len14; i++) {
                    const base = base14 + i * 8;
                    var ptr13 = dataView(memory0).getUint32(base + 0, true);
                    var len13 = dataView(memory0).getUint32(base + 4, true);
                    var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                    result14.push(result13);
                  }
                  variant15 = result14;
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              result16.push({
                agent: result9,
                conversation: result10,
                enabled: bool11 == 0 ? false : (bool11 == 1 ? true : throwInvalidBool()),
                mask: variant12,
                sections: variant15,
              });
            }
            let variant20;
            switch (dataView(memory0).getUint8(ret + 24, true)) {
              case 0: {
                variant20 = undefined;
                break;
              }
              case 1: {
                let enum17;
                switch (dataView(memory0).getUint8(ret + 28, true)) {
                  case 0: {
                    enum17 = 'size';
                    break;
                  }
                  case 1: {
                    enum17 = 'encoding';
                    break;
                  }
                  case 2: {
                    enum17 = 'syntax';
                    break;
                  }
                  case 3: {
                    enum17 = 'shape';
                    break;
                  }
                  case 4: {
                    enum17 = 'version';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for DamageKind');
                  }
                }
                var ptr18 = dataView(memory0).getUint32(ret + 32, true);
                var len18 = dataView(memory0).getUint32(ret + 36, true);
                var result18 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr18, len18));
                var ptr19 = dataView(memory0).getUint32(ret + 40, true);
                var len19 = dataView(memory0).getUint32(ret + 44, true);
                var result19 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr19, len19));
                variant20 = {
                  kind: enum17,
                  field: result18,
                  detail: result19,
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.adopt"][Instruction::Return]', {
              funcName: '[method]switch.adopt',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([{
              conversations: result5,
              orders: {
                masks: result8,
                agents: result16,
              },
              damage: variant20,
            }]);
            const retCopy = {
              conversations: result5,
              orders: {
                masks: result8,
                agents: result16,
              },
              damage: variant20,
            };
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn5(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchPrepareWrite;
    
    Switch.prototype.prepareWrite = function prepareWrite(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchPrepareWrite',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var variant3 = arg1;
            let variant3_0;
            let variant3_1;
            let variant3_2;
            if (variant3 === null || variant3=== undefined) {
              variant3_0 = 0;
              variant3_1 = 0;
              variant3_2 = 0;
            } else {
              const e = variant3;
              var val2 = e;
              var len2 = Array.isArray(val2) ? val2.length : val2.byteLength;
              var ptr2 = realloc0(0, 0, 1, len2 * 1);
              
              let valData2;
              const valLenBytes2 = len2 * 1;
              if (Array.isArray(val2)) {
                // Regular array likely containing numbers, write values to memory
                let offset = 0;
                const dv2 = new DataView(memory0.buffer);
                for (const v of val2) {
                  _requireValidNumericPrimitive.bind(null, 'u8')(v);
                  dv2.setUint8(ptr2+ offset, v, true);
                  offset += 1;
                }
              } else {
                // TypedArray / ArrayBuffer-like, direct copy
                valData2 = new Uint8Array(val2.buffer || val2, val2.byteOffset, valLenBytes2);
                const out2 = new Uint8Array(memory0.buffer, ptr2, valLenBytes2);
                out2.set(valData2);
              }
              
              variant3_0 = 1;
              variant3_1 = ptr2;
              variant3_2 = len2;
            }
            var {session: v4_0, to: v4_1 } = arg2;
            
            var encodeRes = _utf8AllocateAndEncode(v4_0, realloc0, memory0);
            var ptr5= encodeRes.ptr;
            var len5 = encodeRes.len;
            
            var val6 = v4_1;
            let enum6;
            switch (val6) {
              case 'on': {
                enum6 = 0;
                break;
              }
              case 'off': {
                enum6 = 1;
                break;
              }
              case 'flip': {
                enum6 = 2;
                break;
              }
              default: {
                if ((v4_1) instanceof Error) {
                  console.error(v4_1);
                }
                
                throw new TypeError(`"${val6}" is not one of the cases of movement`);
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.prepare-write"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.prepare-write',
              paramCount: 7,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchPrepareWrite(handle0, variant3_0, variant3_1, variant3_2, ptr5, len5, enum6),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant17;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var ptr7 = dataView(memory0).getUint32(ret + 4, true);
                var len7 = dataView(memory0).getUint32(ret + 8, true);
                if (ptr7 % 1 !== 0) throw new TypeError(`list pointer [${ptr7}] is not aligned to 1`);
                var result7 = new Uint8Array(memory0.buffer.slice(ptr7, ptr7 + len7 * 1));
                var ptr8 = dataView(memory0).getUint32(ret + 12, true);
                var len8 = dataView(memory0).getUint32(ret + 16, true);
                var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr8, len8));
                var bool9 = dataView(memory0).getUint8(ret + 20, true);
                let variant13;
                switch (dataView(memory0).getUint8(ret + 24, true)) {
                  case 0: {
                    variant13 = undefined;
                    break;
                  }
                  case 1: {
                    let enum10;
                    switch (dataView(memory0).getUint8(ret + 28, true)) {
                      case 0: {
                        enum10 = 'size';
                        break;
                      }
                      case 1: {
                        enum10 = 'encoding';
                        break;
                      }
                      case 2: {
                        enum10 = 'syntax';
                        break;
                      }
                      case 3: {
                        enum10 = 'shape';
                        break;
                      }
                      case 4: {
                        enum10 = 'version';
                        break;
                      }
                      default: {
                        throw new TypeError('invalid discriminant specified for DamageKind');
                      }
                    }
                    var ptr11 = dataView(memory0).getUint32(ret + 32, true);
                    var len11 = dataView(memory0).getUint32(ret + 36, true);
                    var result11 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr11, len11));
                    var ptr12 = dataView(memory0).getUint32(ret + 40, true);
                    var len12 = dataView(memory0).getUint32(ret + 44, true);
                    var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
                    variant13 = {
                      kind: enum10,
                      field: result11,
                      detail: result12,
                    };
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                variant17= {
                  tag: 'ok',
                  val: {
                    document: result7,
                    conversation: result8,
                    enabled: bool9 == 0 ? false : (bool9 == 1 ? true : throwInvalidBool()),
                    damage: variant13,
                  }
                };
                break;
              }
              case 1: {
                let enum14;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum14 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum14 = 'missing';
                    break;
                  }
                  case 2: {
                    enum14 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum14 = 'empty';
                    break;
                  }
                  case 4: {
                    enum14 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum14 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum14 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum14 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr15 = dataView(memory0).getUint32(ret + 8, true);
                var len15 = dataView(memory0).getUint32(ret + 12, true);
                var result15 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr15, len15));
                var ptr16 = dataView(memory0).getUint32(ret + 16, true);
                var len16 = dataView(memory0).getUint32(ret + 20, true);
                var result16 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr16, len16));
                variant17= {
                  tag: 'err',
                  val: {
                    kind: enum14,
                    field: result15,
                    detail: result16,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.prepare-write"][Instruction::Return]', {
              funcName: '[method]switch.prepare-write',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant17;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn6(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchToolsChanged;
    
    Switch.prototype.toolsChanged = function toolsChanged(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchToolsChanged',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var {servers: v2_0, names: v2_1, owned: v2_2, agents: v2_3 } = arg1;
            var vec7 = v2_0;
            var len7 = vec7.length;
            var result7 = realloc0(0, 0, 4, len7 * 12);
            for (let i = 0; i < vec7.length; i++) {
              const e = vec7[i];
              const base = result7 + i * 12;var {name: v3_0, state: v3_1 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v3_0, realloc0, memory0);
              var ptr4= encodeRes.ptr;
              var len4 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len4, true);
              dataView(memory0).setUint32(base + 0, ptr4, true);
              var variant6 = v3_1;
              if (variant6 === null || variant6=== undefined) {
                dataView(memory0).setInt8(base + 8, 0, true);
              } else {
                const e = variant6;
                dataView(memory0).setInt8(base + 8, 1, true);
                var val5 = e;
                let enum5;
                switch (val5) {
                  case 'connected': {
                    enum5 = 0;
                    break;
                  }
                  case 'down': {
                    enum5 = 1;
                    break;
                  }
                  case 'absent': {
                    enum5 = 2;
                    break;
                  }
                  default: {
                    if ((e) instanceof Error) {
                      console.error(e);
                    }
                    
                    throw new TypeError(`"${val5}" is not one of the cases of server-state`);
                  }
                }
                dataView(memory0).setInt8(base + 9, enum5, true);
              }
            }
            var vec9 = v2_1;
            var len9 = vec9.length;
            var result9 = realloc0(0, 0, 4, len9 * 8);
            for (let i = 0; i < vec9.length; i++) {
              const e = vec9[i];
              const base = result9 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr8= encodeRes.ptr;
              var len8 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len8, true);
              dataView(memory0).setUint32(base + 0, ptr8, true);
            }
            var vec14 = v2_2;
            var len14 = vec14.length;
            var result14 = realloc0(0, 0, 4, len14 * 16);
            for (let i = 0; i < vec14.length; i++) {
              const e = vec14[i];
              const base = result14 + i * 16;var {server: v10_0, names: v10_1 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v10_0, realloc0, memory0);
              var ptr11= encodeRes.ptr;
              var len11 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len11, true);
              dataView(memory0).setUint32(base + 0, ptr11, true);
              var vec13 = v10_1;
              var len13 = vec13.length;
              var result13 = realloc0(0, 0, 4, len13 * 8);
              for (let i = 0; i < vec13.length; i++) {
                const e = vec13[i];
                const base = result13 + i * 8;
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr12= encodeRes.ptr;
                var len12 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 4, len12, true);
                dataView(memory0).setUint32(base + 0, ptr12, true);
              }
              dataView(memory0).setUint32(base + 12, len13, true);
              dataView(memory0).setUint32(base + 8, result13, true);
            }
            var vec19 = v2_3;
            var len19 = vec19.length;
            var result19 = realloc0(0, 0, 4, len19 * 16);
            for (let i = 0; i < vec19.length; i++) {
              const e = vec19[i];
              const base = result19 + i * 16;var {agent: v15_0, names: v15_1 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v15_0, realloc0, memory0);
              var ptr16= encodeRes.ptr;
              var len16 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len16, true);
              dataView(memory0).setUint32(base + 0, ptr16, true);
              var vec18 = v15_1;
              var len18 = vec18.length;
              var result18 = realloc0(0, 0, 4, len18 * 8);
              for (let i = 0; i < vec18.length; i++) {
                const e = vec18[i];
                const base = result18 + i * 8;
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr17= encodeRes.ptr;
                var len17 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 4, len17, true);
                dataView(memory0).setUint32(base + 0, ptr17, true);
              }
              dataView(memory0).setUint32(base + 12, len18, true);
              dataView(memory0).setUint32(base + 8, result18, true);
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.tools-changed"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.tools-changed',
              paramCount: 9,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchToolsChanged(handle0, result7, len7, result9, len9, result14, len14, result19, len19),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant34;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len22 = dataView(memory0).getUint32(ret + 8, true);
                var base22 = dataView(memory0).getUint32(ret + 4, true);
                if (base22 % 4 !== 0) throw new TypeError(`list pointer [${base22}] is not aligned to 4`);
                var result22 = [];
                for (let i = 0; i < len22; i++) {
                  const base = base22 + i * 8;
                  var len21 = dataView(memory0).getUint32(base + 4, true);
                  var base21 = dataView(memory0).getUint32(base + 0, true);
                  if (base21 % 4 !== 0) throw new TypeError(`list pointer [${base21}] is not aligned to 4`);
                  var result21 = [];
                  for (let i = 0; i < len21; i++) {
                    const base = base21 + i * 8;
                    var ptr20 = dataView(memory0).getUint32(base + 0, true);
                    var len20 = dataView(memory0).getUint32(base + 4, true);
                    var result20 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr20, len20));
                    result21.push(result20);
                  }
                  result22.push(result21);
                }
                var len30 = dataView(memory0).getUint32(ret + 16, true);
                var base30 = dataView(memory0).getUint32(ret + 12, true);
                if (base30 % 4 !== 0) throw new TypeError(`list pointer [${base30}] is not aligned to 4`);
                var result30 = [];
                for (let i = 0; i < len30; i++) {
                  const base = base30 + i * 40;
                  var ptr23 = dataView(memory0).getUint32(base + 0, true);
                  var len23 = dataView(memory0).getUint32(base + 4, true);
                  var result23 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr23, len23));
                  var ptr24 = dataView(memory0).getUint32(base + 8, true);
                  var len24 = dataView(memory0).getUint32(base + 12, true);
                  var result24 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr24, len24));
                  var bool25 = dataView(memory0).getUint8(base + 16, true);
                  let variant26;
                  switch (dataView(memory0).getUint8(base + 20, true)) {
                    case 0: {
                      variant26 = undefined;
                      break;
                    }
                    case 1: {
                      variant26 = dataView(memory0).getInt32(base + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant29;
                  switch (dataView(memory0).getUint8(base + 28, true)) {
                    case 0: {
                      variant29 = undefined;
                      break;
                    }
                    case 1: {
                      var len28 = dataView(memory0).getUint32(base + 36, true);
                      var base28 = dataView(memory0).getUint32(base + 32, true);
                      if (base28 % 4 !== 0) throw new TypeError(`list pointer [${base28}] is not aligned to 4`);
                      var result28 = [];
                      for (let i = 0; i < len28; i++) {
                        const base = base28 + i * 8;
                        var ptr27 = dataView(memory0).getUint32(base + 0, true);
                        var len27 = dataView(memory0).getUint32(base + 4, true);
                        var result27 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr27, len27));
                        result28.push(result27);
                      }
                      variant29 = result28;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  result30.push({
                    agent: result23,
                    conversation: result24,
                    enabled: bool25 == 0 ? false : (bool25 == 1 ? true : throwInvalidBool()),
                    mask: variant26,
                    sections: variant29,
                  });
                }
                variant34= {
                  tag: 'ok',
                  val: {
                    masks: result22,
                    agents: result30,
                  }
                };
                break;
              }
              case 1: {
                let enum31;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum31 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum31 = 'missing';
                    break;
                  }
                  case 2: {
                    enum31 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum31 = 'empty';
                    break;
                  }
                  case 4: {
                    enum31 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum31 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum31 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum31 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr32 = dataView(memory0).getUint32(ret + 8, true);
                var len32 = dataView(memory0).getUint32(ret + 12, true);
                var result32 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr32, len32));
                var ptr33 = dataView(memory0).getUint32(ret + 16, true);
                var len33 = dataView(memory0).getUint32(ret + 20, true);
                var result33 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr33, len33));
                variant34= {
                  tag: 'err',
                  val: {
                    kind: enum31,
                    field: result32,
                    detail: result33,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.tools-changed"][Instruction::Return]', {
              funcName: '[method]switch.tools-changed',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant34;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn7(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchSizesTold;
    
    Switch.prototype.sizesTold = function sizesTold(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchSizesTold',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var vec4 = arg1;
            var len4 = vec4.length;
            var result4 = realloc0(0, 0, 8, len4 * 16);
            for (let i = 0; i < vec4.length; i++) {
              const e = vec4[i];
              const base = result4 + i * 16;var [tuple2_0, tuple2_1] = e;
              
              var encodeRes = _utf8AllocateAndEncode(tuple2_0, realloc0, memory0);
              var ptr3= encodeRes.ptr;
              var len3 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len3, true);
              dataView(memory0).setUint32(base + 0, ptr3, true);
              dataView(memory0).setBigInt64(base + 8, toUint64(tuple2_1), true);
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.sizes-told"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.sizes-told',
              paramCount: 3,
              async: false,
              postReturn: false,
            });
            
            let ret;
            
            try {
              _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchSizesTold(handle0, result4, len4),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.sizes-told"][Instruction::Return]', {
              funcName: '[method]switch.sizes-told',
              paramCount: 0,
              async: false,
              postReturn: false
            });
            task.resolve([ret]);
            task.exit();
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchAgentsSeen;
    
    Switch.prototype.agentsSeen = function agentsSeen(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchAgentsSeen',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var vec17 = arg1;
            var len17 = vec17.length;
            var result17 = realloc0(0, 0, 4, len17 * 64);
            for (let i = 0; i < vec17.length; i++) {
              const e = vec17[i];
              const base = result17 + i * 64;var {id: v2_0, parent: v2_1, origin: v2_2, names: v2_3, held: v2_4 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v2_0, realloc0, memory0);
              var ptr3= encodeRes.ptr;
              var len3 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len3, true);
              dataView(memory0).setUint32(base + 0, ptr3, true);
              var variant5 = v2_1;
              if (variant5 === null || variant5=== undefined) {
                dataView(memory0).setInt8(base + 8, 0, true);
              } else {
                const e = variant5;
                dataView(memory0).setInt8(base + 8, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr4= encodeRes.ptr;
                var len4 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 16, len4, true);
                dataView(memory0).setUint32(base + 12, ptr4, true);
              }
              var variant7 = v2_2;
              if (variant7 === null || variant7=== undefined) {
                dataView(memory0).setInt8(base + 20, 0, true);
              } else {
                const e = variant7;
                dataView(memory0).setInt8(base + 20, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr6= encodeRes.ptr;
                var len6 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 28, len6, true);
                dataView(memory0).setUint32(base + 24, ptr6, true);
              }
              var variant10 = v2_3;
              if (variant10 === null || variant10=== undefined) {
                dataView(memory0).setInt8(base + 32, 0, true);
              } else {
                const e = variant10;
                dataView(memory0).setInt8(base + 32, 1, true);
                var vec9 = e;
                var len9 = vec9.length;
                var result9 = realloc0(0, 0, 4, len9 * 8);
                for (let i = 0; i < vec9.length; i++) {
                  const e = vec9[i];
                  const base = result9 + i * 8;
                  var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                  var ptr8= encodeRes.ptr;
                  var len8 = encodeRes.len;
                  
                  dataView(memory0).setUint32(base + 4, len8, true);
                  dataView(memory0).setUint32(base + 0, ptr8, true);
                }
                dataView(memory0).setUint32(base + 40, len9, true);
                dataView(memory0).setUint32(base + 36, result9, true);
              }
              var variant16 = v2_4;
              if (variant16 === null || variant16=== undefined) {
                dataView(memory0).setInt8(base + 44, 0, true);
              } else {
                const e = variant16;
                dataView(memory0).setInt8(base + 44, 1, true);
                var {mask: v11_0, sections: v11_1 } = e;
                var vec13 = v11_0;
                var len13 = vec13.length;
                var result13 = realloc0(0, 0, 4, len13 * 8);
                for (let i = 0; i < vec13.length; i++) {
                  const e = vec13[i];
                  const base = result13 + i * 8;
                  var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                  var ptr12= encodeRes.ptr;
                  var len12 = encodeRes.len;
                  
                  dataView(memory0).setUint32(base + 4, len12, true);
                  dataView(memory0).setUint32(base + 0, ptr12, true);
                }
                dataView(memory0).setUint32(base + 52, len13, true);
                dataView(memory0).setUint32(base + 48, result13, true);
                var vec15 = v11_1;
                var len15 = vec15.length;
                var result15 = realloc0(0, 0, 4, len15 * 8);
                for (let i = 0; i < vec15.length; i++) {
                  const e = vec15[i];
                  const base = result15 + i * 8;
                  var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                  var ptr14= encodeRes.ptr;
                  var len14 = encodeRes.len;
                  
                  dataView(memory0).setUint32(base + 4, len14, true);
                  dataView(memory0).setUint32(base + 0, ptr14, true);
                }
                dataView(memory0).setUint32(base + 60, len15, true);
                dataView(memory0).setUint32(base + 56, result15, true);
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.agents-seen"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.agents-seen',
              paramCount: 3,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchAgentsSeen(handle0, result17, len17),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant32;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len20 = dataView(memory0).getUint32(ret + 8, true);
                var base20 = dataView(memory0).getUint32(ret + 4, true);
                if (base20 % 4 !== 0) throw new TypeError(`list pointer [${base20}] is not aligned to 4`);
                var result20 = [];
                for (let i = 0; i < len20; i++) {
                  const base = base20 + i * 8;
                  var len19 = dataView(memory0).getUint32(base + 4, true);
                  var base19 = dataView(memory0).getUint32(base + 0, true);
                  if (base19 % 4 !== 0) throw new TypeError(`list pointer [${base19}] is not aligned to 4`);
                  var result19 = [];
                  for (let i = 0; i < len19; i++) {
                    const base = base19 + i * 8;
                    var ptr18 = dataView(memory0).getUint32(base + 0, true);
                    var len18 = dataView(memory0).getUint32(base + 4, true);
                    var result18 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr18, len18));
                    result19.push(result18);
                  }
                  result20.push(result19);
                }
                var len28 = dataView(memory0).getUint32(ret + 16, true);
                var base28 = dataView(memory0).getUint32(ret + 12, true);
                if (base28 % 4 !== 0) throw new TypeError(`list pointer [${base28}] is not aligned to 4`);
                var result28 = [];
                for (let i = 0; i < len28; i++) {
                  const base = base28 + i * 40;
                  var ptr21 = dataView(memory0).getUint32(base + 0, true);
                  var len21 = dataView(memory0).getUint32(base + 4, true);
                  var result21 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr21, len21));
                  var ptr22 = dataView(memory0).getUint32(base + 8, true);
                  var len22 = dataView(memory0).getUint32(base + 12, true);
                  var result22 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr22, len22));
                  var bool23 = dataView(memory0).getUint8(base + 16, true);
                  let variant24;
                  switch (dataView(memory0).getUint8(base + 20, true)) {
                    case 0: {
                      variant24 = undefined;
                      break;
                    }
                    case 1: {
                      variant24 = dataView(memory0).getInt32(base + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant27;
                  switch (dataView(memory0).getUint8(base + 28, true)) {
                    case 0: {
                      variant27 = undefined;
                      break;
                    }
                    case 1: {
                      var len26 = dataView(memory0).getUint32(base + 36, true);
                      var base26 = dataView(memory0).getUint32(base + 32, true);
                      if (base26 % 4 !== 0) throw new TypeError(`list pointer [${base26}] is not aligned to 4`);
                      var result26 = [];
                      for (let i = 0; i < len26; i++) {
                        const base = base26 + i * 8;
                        var ptr25 = dataView(memory0).getUint32(base + 0, true);
                        var len25 = dataView(memory0).getUint32(base + 4, true);
                        var result25 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr25, len25));
                        result26.push(result25);
                      }
                      variant27 = result26;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  result28.push({
                    agent: result21,
                    conversation: result22,
                    enabled: bool23 == 0 ? false : (bool23 == 1 ? true : throwInvalidBool()),
                    mask: variant24,
                    sections: variant27,
                  });
                }
                variant32= {
                  tag: 'ok',
                  val: {
                    masks: result20,
                    agents: result28,
                  }
                };
                break;
              }
              case 1: {
                let enum29;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum29 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum29 = 'missing';
                    break;
                  }
                  case 2: {
                    enum29 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum29 = 'empty';
                    break;
                  }
                  case 4: {
                    enum29 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum29 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum29 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum29 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr30 = dataView(memory0).getUint32(ret + 8, true);
                var len30 = dataView(memory0).getUint32(ret + 12, true);
                var result30 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr30, len30));
                var ptr31 = dataView(memory0).getUint32(ret + 16, true);
                var len31 = dataView(memory0).getUint32(ret + 20, true);
                var result31 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr31, len31));
                variant32= {
                  tag: 'err',
                  val: {
                    kind: enum29,
                    field: result30,
                    detail: result31,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.agents-seen"][Instruction::Return]', {
              funcName: '[method]switch.agents-seen',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant32;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn7(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchLineageTold;
    
    Switch.prototype.lineageTold = function lineageTold(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchLineageTold',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var vec8 = arg1;
            var len8 = vec8.length;
            var result8 = realloc0(0, 0, 4, len8 * 32);
            for (let i = 0; i < vec8.length; i++) {
              const e = vec8[i];
              const base = result8 + i * 32;var {id: v2_0, parent: v2_1, origin: v2_2 } = e;
              
              var encodeRes = _utf8AllocateAndEncode(v2_0, realloc0, memory0);
              var ptr3= encodeRes.ptr;
              var len3 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len3, true);
              dataView(memory0).setUint32(base + 0, ptr3, true);
              var variant5 = v2_1;
              if (variant5 === null || variant5=== undefined) {
                dataView(memory0).setInt8(base + 8, 0, true);
              } else {
                const e = variant5;
                dataView(memory0).setInt8(base + 8, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr4= encodeRes.ptr;
                var len4 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 16, len4, true);
                dataView(memory0).setUint32(base + 12, ptr4, true);
              }
              var variant7 = v2_2;
              if (variant7 === null || variant7=== undefined) {
                dataView(memory0).setInt8(base + 20, 0, true);
              } else {
                const e = variant7;
                dataView(memory0).setInt8(base + 20, 1, true);
                
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr6= encodeRes.ptr;
                var len6 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 28, len6, true);
                dataView(memory0).setUint32(base + 24, ptr6, true);
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.lineage-told"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.lineage-told',
              paramCount: 3,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchLineageTold(handle0, result8, len8),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant23;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len11 = dataView(memory0).getUint32(ret + 8, true);
                var base11 = dataView(memory0).getUint32(ret + 4, true);
                if (base11 % 4 !== 0) throw new TypeError(`list pointer [${base11}] is not aligned to 4`);
                var result11 = [];
                for (let i = 0; i < len11; i++) {
                  const base = base11 + i * 8;
                  var len10 = dataView(memory0).getUint32(base + 4, true);
                  var base10 = dataView(memory0).getUint32(base + 0, true);
                  if (base10 % 4 !== 0) throw new TypeError(`list pointer [${base10}] is not aligned to 4`);
                  var result10 = [];
                  for (let i = 0; i < len10; i++) {
                    const base = base10 + i * 8;
                    var ptr9 = dataView(memory0).getUint32(base + 0, true);
                    var len9 = dataView(memory0).getUint32(base + 4, true);
                    var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
                    result10.push(result9);
                  }
                  result11.push(result10);
                }
                var len19 = dataView(memory0).getUint32(ret + 16, true);
                var base19 = dataView(memory0).getUint32(ret + 12, true);
                if (base19 % 4 !== 0) throw new TypeError(`list pointer [${base19}] is not aligned to 4`);
                var result19 = [];
                for (let i = 0; i < len19; i++) {
                  const base = base19 + i * 40;
                  var ptr12 = dataView(memory0).getUint32(base + 0, true);
                  var len12 = dataView(memory0).getUint32(base + 4, true);
                  var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
                  var ptr13 = dataView(memory0).getUint32(base + 8, true);
                  var len13 = dataView(memory0).getUint32(base + 12, true);
                  var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                  var bool14 = dataView(memory0).getUint8(base + 16, true);
                  let variant15;
                  switch (dataView(memory0).getUint8(base + 20, true)) {
                    case 0: {
                      variant15 = undefined;
                      break;
                    }
                    case 1: {
                      variant15 = dataView(memory0).getInt32(base + 24, true) >>> 0;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  let variant18;
                  switch (dataView(memory0).getUint8(base + 28, true)) {
                    case 0: {
                      variant18 = undefined;
                      break;
                    }
                    case 1: {
                      var len17 = dataView(memory0).getUint32(base + 36, true);
                      var base17 = dataView(memory0).getUint32(base + 32, true);
                      if (base17 % 4 !== 0) throw new TypeError(`list pointer [${base17}] is not aligned to 4`);
                      var result17 = [];
                      for (let i = 0; i < len17; i++) {
                        const base = base17 + i * 8;
                        var ptr16 = dataView(memory0).getUint32(base + 0, true);
                        var len16 = dataView(memory0).getUint32(base + 4, true);
                        var result16 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr16, len16));
                        result17.push(result16);
                      }
                      variant18 = result17;
                      break;
                    }
                    default: {
                      throw new TypeError('invalid variant discriminant for option');
                    }
                  }
                  result19.push({
                    agent: result12,
                    conversation: result13,
                    enabled: bool14 == 0 ? false : (bool14 == 1 ? true : throwInvalidBool()),
                    mask: variant15,
                    sections: variant18,
                  });
                }
                variant23= {
                  tag: 'ok',
                  val: {
                    masks: result11,
                    agents: result19,
                  }
                };
                break;
              }
              case 1: {
                let enum20;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum20 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum20 = 'missing';
                    break;
                  }
                  case 2: {
                    enum20 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum20 = 'empty';
                    break;
                  }
                  case 4: {
                    enum20 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum20 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum20 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum20 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr21 = dataView(memory0).getUint32(ret + 8, true);
                var len21 = dataView(memory0).getUint32(ret + 12, true);
                var result21 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr21, len21));
                var ptr22 = dataView(memory0).getUint32(ret + 16, true);
                var len22 = dataView(memory0).getUint32(ret + 20, true);
                var result22 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr22, len22));
                variant23= {
                  tag: 'err',
                  val: {
                    kind: enum20,
                    field: result21,
                    detail: result22,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.lineage-told"][Instruction::Return]', {
              funcName: '[method]switch.lineage-told',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant23;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn7(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchAgentGone;
    
    Switch.prototype.agentGone = function agentGone(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchAgentGone',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.agent-gone"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.agent-gone',
              paramCount: 3,
              async: false,
              postReturn: false,
            });
            
            let ret;
            
            try {
              _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchAgentGone(handle0, ptr2, len2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.agent-gone"][Instruction::Return]', {
              funcName: '[method]switch.agent-gone',
              paramCount: 0,
              async: false,
              postReturn: false
            });
            task.resolve([ret]);
            task.exit();
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchHolds;
    
    Switch.prototype.holds = function holds(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchHolds',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            var {mask: v3_0, sections: v3_1 } = arg2;
            var vec5 = v3_0;
            var len5 = vec5.length;
            var result5 = realloc0(0, 0, 4, len5 * 8);
            for (let i = 0; i < vec5.length; i++) {
              const e = vec5[i];
              const base = result5 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr4= encodeRes.ptr;
              var len4 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len4, true);
              dataView(memory0).setUint32(base + 0, ptr4, true);
            }
            var vec7 = v3_1;
            var len7 = vec7.length;
            var result7 = realloc0(0, 0, 4, len7 * 8);
            for (let i = 0; i < vec7.length; i++) {
              const e = vec7[i];
              const base = result7 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr6= encodeRes.ptr;
              var len6 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len6, true);
              dataView(memory0).setUint32(base + 0, ptr6, true);
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.holds"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.holds',
              paramCount: 7,
              async: false,
              postReturn: false,
            });
            
            let ret;
            
            try {
              _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchHolds(handle0, ptr2, len2, result5, len5, result7, len7),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.holds"][Instruction::Return]', {
              funcName: '[method]switch.holds',
              paramCount: 0,
              async: false,
              postReturn: false
            });
            task.resolve([ret]);
            task.exit();
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchDecision;
    
    Switch.prototype.decision = function decision(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchDecision',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.decision"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.decision',
              paramCount: 3,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchDecision(handle0, ptr2, len2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant9;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                variant9 = undefined;
                break;
              }
              case 1: {
                var ptr3 = dataView(memory0).getUint32(ret + 4, true);
                var len3 = dataView(memory0).getUint32(ret + 8, true);
                var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
                var bool4 = dataView(memory0).getUint8(ret + 12, true);
                var len6 = dataView(memory0).getUint32(ret + 20, true);
                var base6 = dataView(memory0).getUint32(ret + 16, true);
                if (base6 % 4 !== 0) throw new TypeError(`list pointer [${base6}] is not aligned to 4`);
                var result6 = [];
                for (let i = 0; i < len6; i++) {
                  const base = base6 + i * 8;
                  var ptr5 = dataView(memory0).getUint32(base + 0, true);
                  var len5 = dataView(memory0).getUint32(base + 4, true);
                  var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                  result6.push(result5);
                }
                var len8 = dataView(memory0).getUint32(ret + 28, true);
                var base8 = dataView(memory0).getUint32(ret + 24, true);
                if (base8 % 4 !== 0) throw new TypeError(`list pointer [${base8}] is not aligned to 4`);
                var result8 = [];
                for (let i = 0; i < len8; i++) {
                  const base = base8 + i * 8;
                  var ptr7 = dataView(memory0).getUint32(base + 0, true);
                  var len7 = dataView(memory0).getUint32(base + 4, true);
                  var result7 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr7, len7));
                  result8.push(result7);
                }
                variant9 = {
                  conversation: result3,
                  enabled: bool4 == 0 ? false : (bool4 == 1 ? true : throwInvalidBool()),
                  deny: result6,
                  sections: result8,
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.decision"][Instruction::Return]', {
              funcName: '[method]switch.decision',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([variant9]);
            const retCopy = variant9;
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn8(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchStatus;
    
    Switch.prototype.status = function status(arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchStatus',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.status"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.status',
              paramCount: 3,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchStatus(handle0, ptr2, len2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant11;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var ptr3 = dataView(memory0).getUint32(ret + 8, true);
                var len3 = dataView(memory0).getUint32(ret + 12, true);
                var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
                var ptr4 = dataView(memory0).getUint32(ret + 16, true);
                var len4 = dataView(memory0).getUint32(ret + 20, true);
                var result4 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr4, len4));
                var bool5 = dataView(memory0).getUint8(ret + 24, true);
                var bool6 = dataView(memory0).getUint8(ret + 25, true);
                let variant7;
                switch (dataView(memory0).getUint8(ret + 40, true)) {
                  case 0: {
                    variant7 = undefined;
                    break;
                  }
                  case 1: {
                    variant7 = BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(ret + 48, true)));
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                variant11= {
                  tag: 'ok',
                  val: {
                    session: result3,
                    conversation: result4,
                    enabled: bool5 == 0 ? false : (bool5 == 1 ? true : throwInvalidBool()),
                    known: bool6 == 0 ? false : (bool6 == 1 ? true : throwInvalidBool()),
                    agents: dataView(memory0).getInt32(ret + 28, true) >>> 0,
                    tools: dataView(memory0).getInt32(ret + 32, true) >>> 0,
                    schemaBytes: variant7,
                  }
                };
                break;
              }
              case 1: {
                let enum8;
                switch (dataView(memory0).getUint8(ret + 8, true)) {
                  case 0: {
                    enum8 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum8 = 'missing';
                    break;
                  }
                  case 2: {
                    enum8 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum8 = 'empty';
                    break;
                  }
                  case 4: {
                    enum8 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum8 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum8 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum8 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr9 = dataView(memory0).getUint32(ret + 12, true);
                var len9 = dataView(memory0).getUint32(ret + 16, true);
                var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
                var ptr10 = dataView(memory0).getUint32(ret + 20, true);
                var len10 = dataView(memory0).getUint32(ret + 24, true);
                var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
                variant11= {
                  tag: 'err',
                  val: {
                    kind: enum8,
                    field: result9,
                    detail: result10,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.status"][Instruction::Return]', {
              funcName: '[method]switch.status',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant11;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn9(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchSummary;
    
    Switch.prototype.summary = function summary() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchSummary',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.summary"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.summary',
              paramCount: 1,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchSummary(handle0),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var bool2 = dataView(memory0).getUint8(ret + 0, true);
            var len5 = dataView(memory0).getUint32(ret + 8, true);
            var base5 = dataView(memory0).getUint32(ret + 4, true);
            if (base5 % 4 !== 0) throw new TypeError(`list pointer [${base5}] is not aligned to 4`);
            var result5 = [];
            for (let i = 0; i < len5; i++) {
              const base = base5 + i * 12;
              var ptr3 = dataView(memory0).getUint32(base + 0, true);
              var len3 = dataView(memory0).getUint32(base + 4, true);
              var result3 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr3, len3));
              let enum4;
              switch (dataView(memory0).getUint8(base + 8, true)) {
                case 0: {
                  enum4 = 'connected';
                  break;
                }
                case 1: {
                  enum4 = 'down';
                  break;
                }
                case 2: {
                  enum4 = 'absent';
                  break;
                }
                default: {
                  throw new TypeError('invalid discriminant specified for ServerState');
                }
              }
              result5.push([result3, enum4]);
            }
            let variant6;
            switch (dataView(memory0).getUint8(ret + 24, true)) {
              case 0: {
                variant6 = undefined;
                break;
              }
              case 1: {
                variant6 = BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(ret + 32, true)));
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for option');
              }
            }
            var ptr7 = dataView(memory0).getUint32(ret + 40, true);
            var len7 = dataView(memory0).getUint32(ret + 44, true);
            var result7 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr7, len7));
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.summary"][Instruction::Return]', {
              funcName: '[method]switch.summary',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([{
              defaultEnabled: bool2 == 0 ? false : (bool2 == 1 ? true : throwInvalidBool()),
              servers: result5,
              conversations: dataView(memory0).getInt32(ret + 12, true) >>> 0,
              agents: dataView(memory0).getInt32(ret + 16, true) >>> 0,
              tools: dataView(memory0).getInt32(ret + 20, true) >>> 0,
              schemaBytes: variant6,
              statePath: result7,
            }]);
            const retCopy = {
              defaultEnabled: bool2 == 0 ? false : (bool2 == 1 ? true : throwInvalidBool()),
              servers: result5,
              conversations: dataView(memory0).getInt32(ret + 12, true) >>> 0,
              agents: dataView(memory0).getInt32(ret + 16, true) >>> 0,
              tools: dataView(memory0).getInt32(ret + 20, true) >>> 0,
              schemaBytes: variant6,
              statePath: result7,
            };
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn10(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchConversations;
    
    Switch.prototype.conversations = function conversations() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchConversations',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.conversations"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.conversations',
              paramCount: 1,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchConversations(handle0),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var len5 = dataView(memory0).getUint32(ret + 4, true);
            var base5 = dataView(memory0).getUint32(ret + 0, true);
            if (base5 % 8 !== 0) throw new TypeError(`list pointer [${base5}] is not aligned to 8`);
            var result5 = [];
            for (let i = 0; i < len5; i++) {
              const base = base5 + i * 40;
              var ptr2 = dataView(memory0).getUint32(base + 0, true);
              var len2 = dataView(memory0).getUint32(base + 4, true);
              var result2 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr2, len2));
              var bool3 = dataView(memory0).getUint8(base + 8, true);
              let variant4;
              switch (dataView(memory0).getUint8(base + 16, true)) {
                case 0: {
                  variant4 = undefined;
                  break;
                }
                case 1: {
                  variant4 = BigInt.asUintN(64, BigInt(dataView(memory0).getBigInt64(base + 24, true)));
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              result5.push({
                id: result2,
                enabled: bool3 == 0 ? false : (bool3 == 1 ? true : throwInvalidBool()),
                revision: variant4,
                agents: dataView(memory0).getInt32(base + 32, true) >>> 0,
              });
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.conversations"][Instruction::Return]', {
              funcName: '[method]switch.conversations',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([result5]);
            const retCopy = result5;
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn11(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchCommand;
    
    Switch.prototype.command = function command(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchCommand',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg1, realloc0, memory0);
            var ptr2= encodeRes.ptr;
            var len2 = encodeRes.len;
            
            
            var encodeRes = _utf8AllocateAndEncode(arg2, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.command"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.command',
              paramCount: 5,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchCommand(handle0, ptr2, len2, ptr3, len3),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant8;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var bool4 = dataView(memory0).getUint8(ret + 4, true);
                var ptr5 = dataView(memory0).getUint32(ret + 8, true);
                var len5 = dataView(memory0).getUint32(ret + 12, true);
                var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                variant8= {
                  tag: 'reply',
                  val: {
                    ok: bool4 == 0 ? false : (bool4 == 1 ? true : throwInvalidBool()),
                    text: result5,
                  }
                };
                break;
              }
              case 1: {
                var ptr6 = dataView(memory0).getUint32(ret + 4, true);
                var len6 = dataView(memory0).getUint32(ret + 8, true);
                var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
                let enum7;
                switch (dataView(memory0).getUint8(ret + 12, true)) {
                  case 0: {
                    enum7 = 'on';
                    break;
                  }
                  case 1: {
                    enum7 = 'off';
                    break;
                  }
                  case 2: {
                    enum7 = 'flip';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for Movement');
                  }
                }
                variant8= {
                  tag: 'change',
                  val: {
                    session: result6,
                    to: enum7,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for CommandStep');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.command"][Instruction::Return]', {
              funcName: '[method]switch.command',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([variant8]);
            const retCopy = variant8;
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn12(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchCommandAnswer;
    
    Switch.prototype.commandAnswer = function commandAnswer(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchCommandAnswer',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var {session: v2_0, to: v2_1 } = arg1;
            
            var encodeRes = _utf8AllocateAndEncode(v2_0, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            var val4 = v2_1;
            let enum4;
            switch (val4) {
              case 'on': {
                enum4 = 0;
                break;
              }
              case 'off': {
                enum4 = 1;
                break;
              }
              case 'flip': {
                enum4 = 2;
                break;
              }
              default: {
                if ((v2_1) instanceof Error) {
                  console.error(v2_1);
                }
                
                throw new TypeError(`"${val4}" is not one of the cases of movement`);
              }
            }
            var variant8 = arg2;
            let variant8_0;
            let variant8_1;
            let variant8_2;
            let variant8_3;
            if (variant8 === null || variant8=== undefined) {
              variant8_0 = 0;
              variant8_1 = 0;
              variant8_2 = 0;
              variant8_3 = 0;
            } else {
              const e = variant8;
              var {kind: v5_0, detail: v5_1 } = e;
              var val6 = v5_0;
              let enum6;
              switch (val6) {
                case 'busy': {
                  enum6 = 0;
                  break;
                }
                case 'failed': {
                  enum6 = 1;
                  break;
                }
                default: {
                  if ((v5_0) instanceof Error) {
                    console.error(v5_0);
                  }
                  
                  throw new TypeError(`"${val6}" is not one of the cases of store-failure-kind`);
                }
              }
              
              var encodeRes = _utf8AllocateAndEncode(v5_1, realloc0, memory0);
              var ptr7= encodeRes.ptr;
              var len7 = encodeRes.len;
              
              variant8_0 = 1;
              variant8_1 = enum6;
              variant8_2 = ptr7;
              variant8_3 = len7;
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.command-answer"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.command-answer',
              paramCount: 8,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchCommandAnswer(handle0, ptr3, len3, enum4, variant8_0, variant8_1, variant8_2, variant8_3),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var bool9 = dataView(memory0).getUint8(ret + 0, true);
            var ptr10 = dataView(memory0).getUint32(ret + 4, true);
            var len10 = dataView(memory0).getUint32(ret + 8, true);
            var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.command-answer"][Instruction::Return]', {
              funcName: '[method]switch.command-answer',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([{
              ok: bool9 == 0 ? false : (bool9 == 1 ? true : throwInvalidBool()),
              text: result10,
            }]);
            const retCopy = {
              ok: bool9 == 0 ? false : (bool9 == 1 ? true : throwInvalidBool()),
              text: result10,
            };
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn13(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchHttp;
    
    Switch.prototype.http = function http(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchHttp',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var {method: v2_0, query: v2_1, headers: v2_2, body: v2_3 } = arg1;
            
            var encodeRes = _utf8AllocateAndEncode(v2_0, realloc0, memory0);
            var ptr3= encodeRes.ptr;
            var len3 = encodeRes.len;
            
            var variant5 = v2_1;
            let variant5_0;
            let variant5_1;
            let variant5_2;
            if (variant5 === null || variant5=== undefined) {
              variant5_0 = 0;
              variant5_1 = 0;
              variant5_2 = 0;
            } else {
              const e = variant5;
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr4= encodeRes.ptr;
              var len4 = encodeRes.len;
              
              variant5_0 = 1;
              variant5_1 = ptr4;
              variant5_2 = len4;
            }
            var vec9 = v2_2;
            var len9 = vec9.length;
            var result9 = realloc0(0, 0, 4, len9 * 16);
            for (let i = 0; i < vec9.length; i++) {
              const e = vec9[i];
              const base = result9 + i * 16;var [tuple6_0, tuple6_1] = e;
              
              var encodeRes = _utf8AllocateAndEncode(tuple6_0, realloc0, memory0);
              var ptr7= encodeRes.ptr;
              var len7 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len7, true);
              dataView(memory0).setUint32(base + 0, ptr7, true);
              
              var encodeRes = _utf8AllocateAndEncode(tuple6_1, realloc0, memory0);
              var ptr8= encodeRes.ptr;
              var len8 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 12, len8, true);
              dataView(memory0).setUint32(base + 8, ptr8, true);
            }
            var val10 = v2_3;
            var len10 = Array.isArray(val10) ? val10.length : val10.byteLength;
            var ptr10 = realloc0(0, 0, 1, len10 * 1);
            
            let valData10;
            const valLenBytes10 = len10 * 1;
            if (Array.isArray(val10)) {
              // Regular array likely containing numbers, write values to memory
              let offset = 0;
              const dv10 = new DataView(memory0.buffer);
              for (const v of val10) {
                _requireValidNumericPrimitive.bind(null, 'u8')(v);
                dv10.setUint8(ptr10+ offset, v, true);
                offset += 1;
              }
            } else {
              // TypedArray / ArrayBuffer-like, direct copy
              valData10 = new Uint8Array(val10.buffer || val10, val10.byteOffset, valLenBytes10);
              const out10 = new Uint8Array(memory0.buffer, ptr10, valLenBytes10);
              out10.set(valData10);
            }
            
            var {hosts: v11_0, origins: v11_1 } = arg2;
            var vec13 = v11_0;
            var len13 = vec13.length;
            var result13 = realloc0(0, 0, 4, len13 * 8);
            for (let i = 0; i < vec13.length; i++) {
              const e = vec13[i];
              const base = result13 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr12= encodeRes.ptr;
              var len12 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len12, true);
              dataView(memory0).setUint32(base + 0, ptr12, true);
            }
            var vec15 = v11_1;
            var len15 = vec15.length;
            var result15 = realloc0(0, 0, 4, len15 * 8);
            for (let i = 0; i < vec15.length; i++) {
              const e = vec15[i];
              const base = result15 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr14= encodeRes.ptr;
              var len14 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len14, true);
              dataView(memory0).setUint32(base + 0, ptr14, true);
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.http"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.http',
              paramCount: 14,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchHttp(handle0, ptr3, len3, variant5_0, variant5_1, variant5_2, result9, len9, ptr10, len10, result13, len13, result15, len15),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant24;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len18 = dataView(memory0).getUint32(ret + 12, true);
                var base18 = dataView(memory0).getUint32(ret + 8, true);
                if (base18 % 4 !== 0) throw new TypeError(`list pointer [${base18}] is not aligned to 4`);
                var result18 = [];
                for (let i = 0; i < len18; i++) {
                  const base = base18 + i * 16;
                  var ptr16 = dataView(memory0).getUint32(base + 0, true);
                  var len16 = dataView(memory0).getUint32(base + 4, true);
                  var result16 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr16, len16));
                  var ptr17 = dataView(memory0).getUint32(base + 8, true);
                  var len17 = dataView(memory0).getUint32(base + 12, true);
                  var result17 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr17, len17));
                  result18.push([result16, result17]);
                }
                var ptr19 = dataView(memory0).getUint32(ret + 16, true);
                var len19 = dataView(memory0).getUint32(ret + 20, true);
                var result19 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr19, len19));
                variant24= {
                  tag: 'response',
                  val: {
                    status: clampGuest(dataView(memory0).getUint16(ret + 4, true), 0, 65535),
                    headers: result18,
                    body: result19,
                  }
                };
                break;
              }
              case 1: {
                var ptr20 = dataView(memory0).getUint32(ret + 4, true);
                var len20 = dataView(memory0).getUint32(ret + 8, true);
                var result20 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr20, len20));
                let enum21;
                switch (dataView(memory0).getUint8(ret + 12, true)) {
                  case 0: {
                    enum21 = 'on';
                    break;
                  }
                  case 1: {
                    enum21 = 'off';
                    break;
                  }
                  case 2: {
                    enum21 = 'flip';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for Movement');
                  }
                }
                let variant23;
                switch (dataView(memory0).getUint8(ret + 16, true)) {
                  case 0: {
                    variant23 = undefined;
                    break;
                  }
                  case 1: {
                    var ptr22 = dataView(memory0).getUint32(ret + 20, true);
                    var len22 = dataView(memory0).getUint32(ret + 24, true);
                    var result22 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr22, len22));
                    variant23 = result22;
                    break;
                  }
                  default: {
                    throw new TypeError('invalid variant discriminant for option');
                  }
                }
                variant24= {
                  tag: 'change',
                  val: {
                    change: {
                      session: result20,
                      to: enum21,
                    },
                    origin: variant23,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for HttpStep');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.http"][Instruction::Return]', {
              funcName: '[method]switch.http',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([variant24]);
            const retCopy = variant24;
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn14(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchHttpAnswer;
    
    Switch.prototype.httpAnswer = function httpAnswer(arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchHttpAnswer',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            var {change: v2_0, origin: v2_1 } = arg1;
            var {session: v3_0, to: v3_1 } = v2_0;
            
            var encodeRes = _utf8AllocateAndEncode(v3_0, realloc0, memory0);
            var ptr4= encodeRes.ptr;
            var len4 = encodeRes.len;
            
            var val5 = v3_1;
            let enum5;
            switch (val5) {
              case 'on': {
                enum5 = 0;
                break;
              }
              case 'off': {
                enum5 = 1;
                break;
              }
              case 'flip': {
                enum5 = 2;
                break;
              }
              default: {
                if ((v3_1) instanceof Error) {
                  console.error(v3_1);
                }
                
                throw new TypeError(`"${val5}" is not one of the cases of movement`);
              }
            }
            var variant7 = v2_1;
            let variant7_0;
            let variant7_1;
            let variant7_2;
            if (variant7 === null || variant7=== undefined) {
              variant7_0 = 0;
              variant7_1 = 0;
              variant7_2 = 0;
            } else {
              const e = variant7;
              
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr6= encodeRes.ptr;
              var len6 = encodeRes.len;
              
              variant7_0 = 1;
              variant7_1 = ptr6;
              variant7_2 = len6;
            }
            var variant11 = arg2;
            let variant11_0;
            let variant11_1;
            let variant11_2;
            let variant11_3;
            if (variant11 === null || variant11=== undefined) {
              variant11_0 = 0;
              variant11_1 = 0;
              variant11_2 = 0;
              variant11_3 = 0;
            } else {
              const e = variant11;
              var {kind: v8_0, detail: v8_1 } = e;
              var val9 = v8_0;
              let enum9;
              switch (val9) {
                case 'busy': {
                  enum9 = 0;
                  break;
                }
                case 'failed': {
                  enum9 = 1;
                  break;
                }
                default: {
                  if ((v8_0) instanceof Error) {
                    console.error(v8_0);
                  }
                  
                  throw new TypeError(`"${val9}" is not one of the cases of store-failure-kind`);
                }
              }
              
              var encodeRes = _utf8AllocateAndEncode(v8_1, realloc0, memory0);
              var ptr10= encodeRes.ptr;
              var len10 = encodeRes.len;
              
              variant11_0 = 1;
              variant11_1 = enum9;
              variant11_2 = ptr10;
              variant11_3 = len10;
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.http-answer"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.http-answer',
              paramCount: 11,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchHttpAnswer(handle0, ptr4, len4, enum5, variant7_0, variant7_1, variant7_2, variant11_0, variant11_1, variant11_2, variant11_3),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var len14 = dataView(memory0).getUint32(ret + 8, true);
            var base14 = dataView(memory0).getUint32(ret + 4, true);
            if (base14 % 4 !== 0) throw new TypeError(`list pointer [${base14}] is not aligned to 4`);
            var result14 = [];
            for (let i = 0; i < len14; i++) {
              const base = base14 + i * 16;
              var ptr12 = dataView(memory0).getUint32(base + 0, true);
              var len12 = dataView(memory0).getUint32(base + 4, true);
              var result12 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr12, len12));
              var ptr13 = dataView(memory0).getUint32(base + 8, true);
              var len13 = dataView(memory0).getUint32(base + 12, true);
              var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
              result14.push([result12, result13]);
            }
            var ptr15 = dataView(memory0).getUint32(ret + 12, true);
            var len15 = dataView(memory0).getUint32(ret + 16, true);
            var result15 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr15, len15));
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.http-answer"][Instruction::Return]', {
              funcName: '[method]switch.http-answer',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([{
              status: clampGuest(dataView(memory0).getUint16(ret + 0, true), 0, 65535),
              headers: result14,
              body: result15,
            }]);
            const retCopy = {
              status: clampGuest(dataView(memory0).getUint16(ret + 0, true), 0, 65535),
              headers: result14,
              body: result15,
            };
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn15(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010MethodSwitchLiftAll;
    
    Switch.prototype.liftAll = function liftAll() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010MethodSwitchLiftAll',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var handle1 = this[symbolRscHandle];
            if (!handle1 || (handleTable0[(handle1 << 1) + 1] & T_FLAG) === 0) {
              throw new TypeError('Resource error: Not a valid \"Switch\" resource.');
            }
            var handle0 = handleTable0[(handle1 << 1) + 1] & ~T_FLAG;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.lift-all"][Instruction::CallWasm] enter', {
              funcName: '[method]switch.lift-all',
              paramCount: 1,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010MethodSwitchLiftAll(handle0),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            var len4 = dataView(memory0).getUint32(ret + 4, true);
            var base4 = dataView(memory0).getUint32(ret + 0, true);
            if (base4 % 4 !== 0) throw new TypeError(`list pointer [${base4}] is not aligned to 4`);
            var result4 = [];
            for (let i = 0; i < len4; i++) {
              const base = base4 + i * 8;
              var len3 = dataView(memory0).getUint32(base + 4, true);
              var base3 = dataView(memory0).getUint32(base + 0, true);
              if (base3 % 4 !== 0) throw new TypeError(`list pointer [${base3}] is not aligned to 4`);
              var result3 = [];
              for (let i = 0; i < len3; i++) {
                const base = base3 + i * 8;
                var ptr2 = dataView(memory0).getUint32(base + 0, true);
                var len2 = dataView(memory0).getUint32(base + 4, true);
                var result2 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr2, len2));
                result3.push(result2);
              }
              result4.push(result3);
            }
            var len12 = dataView(memory0).getUint32(ret + 12, true);
            var base12 = dataView(memory0).getUint32(ret + 8, true);
            if (base12 % 4 !== 0) throw new TypeError(`list pointer [${base12}] is not aligned to 4`);
            var result12 = [];
            for (let i = 0; i < len12; i++) {
              const base = base12 + i * 40;
              var ptr5 = dataView(memory0).getUint32(base + 0, true);
              var len5 = dataView(memory0).getUint32(base + 4, true);
              var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
              var ptr6 = dataView(memory0).getUint32(base + 8, true);
              var len6 = dataView(memory0).getUint32(base + 12, true);
              var result6 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr6, len6));
              var bool7 = dataView(memory0).getUint8(base + 16, true);
              let variant8;
              switch (dataView(memory0).getUint8(base + 20, true)) {
                case 0: {
                  variant8 = undefined;
                  break;
                }
                case 1: {
                  variant8 = dataView(memory0).getInt32(base + 24, true) >>> 0;
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              let variant11;
              switch (dataView(memory0).getUint8(base + 28, true)) {
                case 0: {
                  variant11 = undefined;
                  break;
                }
                case 1: {
                  var len10 = dataView(memory0).getUint32(base + 36, true);
                  var base10 = dataView(memory0).getUint32(base + 32, true);
                  if (base10 % 4 !== 0) throw new TypeError(`list pointer [${base10}] is not aligned to 4`);
                  var result10 = [];
                  for (let i = 0; i < len10; i++) {
                    const base = base10 + i * 8;
                    var ptr9 = dataView(memory0).getUint32(base + 0, true);
                    var len9 = dataView(memory0).getUint32(base + 4, true);
                    var result9 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr9, len9));
                    result10.push(result9);
                  }
                  variant11 = result10;
                  break;
                }
                default: {
                  throw new TypeError('invalid variant discriminant for option');
                }
              }
              result12.push({
                agent: result5,
                conversation: result6,
                enabled: bool7 == 0 ? false : (bool7 == 1 ? true : throwInvalidBool()),
                mask: variant8,
                sections: variant11,
              });
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="[method]switch.lift-all"][Instruction::Return]', {
              funcName: '[method]switch.lift-all',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            task.resolve([{
              masks: result4,
              agents: result12,
            }]);
            const retCopy = {
              masks: result4,
              agents: result12,
            };
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn16(ret);
            cstate.mayLeave = true;
            task.exit();
            return retCopy;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    };
    let toggle010ReadConfig;
    
    function readConfig(arg0, arg1, arg2) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010ReadConfig',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            
            var encodeRes = _utf8AllocateAndEncode(arg0, realloc0, memory0);
            var ptr0= encodeRes.ptr;
            var len0 = encodeRes.len;
            
            var val1 = arg1;
            let enum1;
            switch (val1) {
              case 'dsh': {
                enum1 = 0;
                break;
              }
              case 'gateway': {
                enum1 = 1;
                break;
              }
              default: {
                if ((arg1) instanceof Error) {
                  console.error(arg1);
                }
                
                throw new TypeError(`"${val1}" is not one of the cases of naming`);
              }
            }
            var variant4 = arg2;
            let variant4_0;
            let variant4_1;
            let variant4_2;
            if (variant4 === null || variant4=== undefined) {
              variant4_0 = 0;
              variant4_1 = 0;
              variant4_2 = 0;
            } else {
              const e = variant4;
              var vec3 = e;
              var len3 = vec3.length;
              var result3 = realloc0(0, 0, 4, len3 * 8);
              for (let i = 0; i < vec3.length; i++) {
                const e = vec3[i];
                const base = result3 + i * 8;
                var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
                var ptr2= encodeRes.ptr;
                var len2 = encodeRes.len;
                
                dataView(memory0).setUint32(base + 4, len2, true);
                dataView(memory0).setUint32(base + 0, ptr2, true);
              }
              variant4_0 = 1;
              variant4_1 = result3;
              variant4_2 = len3;
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="read-config"][Instruction::CallWasm] enter', {
              funcName: 'read-config',
              paramCount: 6,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010ReadConfig(ptr0, len0, enum1, variant4_0, variant4_1, variant4_2),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant15;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var len6 = dataView(memory0).getUint32(ret + 8, true);
                var base6 = dataView(memory0).getUint32(ret + 4, true);
                if (base6 % 4 !== 0) throw new TypeError(`list pointer [${base6}] is not aligned to 4`);
                var result6 = [];
                for (let i = 0; i < len6; i++) {
                  const base = base6 + i * 8;
                  var ptr5 = dataView(memory0).getUint32(base + 0, true);
                  var len5 = dataView(memory0).getUint32(base + 4, true);
                  var result5 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr5, len5));
                  result6.push(result5);
                }
                var bool7 = dataView(memory0).getUint8(ret + 12, true);
                var len9 = dataView(memory0).getUint32(ret + 20, true);
                var base9 = dataView(memory0).getUint32(ret + 16, true);
                if (base9 % 4 !== 0) throw new TypeError(`list pointer [${base9}] is not aligned to 4`);
                var result9 = [];
                for (let i = 0; i < len9; i++) {
                  const base = base9 + i * 8;
                  var ptr8 = dataView(memory0).getUint32(base + 0, true);
                  var len8 = dataView(memory0).getUint32(base + 4, true);
                  var result8 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr8, len8));
                  result9.push(result8);
                }
                var len11 = dataView(memory0).getUint32(ret + 28, true);
                var base11 = dataView(memory0).getUint32(ret + 24, true);
                if (base11 % 4 !== 0) throw new TypeError(`list pointer [${base11}] is not aligned to 4`);
                var result11 = [];
                for (let i = 0; i < len11; i++) {
                  const base = base11 + i * 8;
                  var ptr10 = dataView(memory0).getUint32(base + 0, true);
                  var len10 = dataView(memory0).getUint32(base + 4, true);
                  var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
                  result11.push(result10);
                }
                variant15= {
                  tag: 'ok',
                  val: {
                    settings: {
                      servers: result6,
                      defaultEnabled: bool7 == 0 ? false : (bool7 == 1 ? true : throwInvalidBool()),
                    },
                    shared: result9,
                    ignored: result11,
                  }
                };
                break;
              }
              case 1: {
                let enum12;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum12 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum12 = 'missing';
                    break;
                  }
                  case 2: {
                    enum12 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum12 = 'empty';
                    break;
                  }
                  case 4: {
                    enum12 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum12 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum12 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum12 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr13 = dataView(memory0).getUint32(ret + 8, true);
                var len13 = dataView(memory0).getUint32(ret + 12, true);
                var result13 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr13, len13));
                var ptr14 = dataView(memory0).getUint32(ret + 16, true);
                var len14 = dataView(memory0).getUint32(ret + 20, true);
                var result14 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr14, len14));
                variant15= {
                  tag: 'err',
                  val: {
                    kind: enum12,
                    field: result13,
                    detail: result14,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="read-config"][Instruction::Return]', {
              funcName: 'read-config',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant15;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn17(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let toggle010Sizes;
    
    function sizes() {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010Sizes',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="sizes"][Instruction::CallWasm] enter', {
              funcName: 'sizes',
              paramCount: 0,
              async: false,
              postReturn: false,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010Sizes(),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="sizes"][Instruction::Return]', {
              funcName: 'sizes',
              paramCount: 1,
              async: false,
              postReturn: false
            });
            task.resolve([{
              documentBytes: dataView(memory0).getInt32(ret + 0, true) >>> 0,
              bodyBytes: dataView(memory0).getInt32(ret + 4, true) >>> 0,
            }]);
            task.exit();
            return {
              documentBytes: dataView(memory0).getInt32(ret + 0, true) >>> 0,
              bodyBytes: dataView(memory0).getInt32(ret + 4, true) >>> 0,
            };
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let toggle010EstimateTokens;
    
    function estimateTokens(arg0) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010EstimateTokens',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'none',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (null!== null) {
        task.setReturnMemoryIdx(null);
        task.setReturnMemory((() => null)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="estimate-tokens"][Instruction::CallWasm] enter', {
              funcName: 'estimate-tokens',
              paramCount: 1,
              async: false,
              postReturn: false,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010EstimateTokens(toUint64(arg0)),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="estimate-tokens"][Instruction::Return]', {
              funcName: 'estimate-tokens',
              paramCount: 1,
              async: false,
              postReturn: false
            });
            task.resolve([BigInt.asUintN(64, BigInt(ret))]);
            task.exit();
            return BigInt.asUintN(64, BigInt(ret));
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    let toggle010Open;
    
    function open(arg0, arg1) {
      
      const hostProvided = false;
      getOrCreateAsyncState(0).throwIfTrapped();
      
      const [task, _wasm_call_currentTaskID] = createNewCurrentTask({
        componentIdx: 0,
        isAsync: false,
        isManualAsync: false,
        preserveFutureResult: false,
        entryFnName: 'toggle010Open',
        getCallbackFn: () => null,
        callbackFnName: null,
        errHandling: 'throw-result-err',
        callingWasmExport: true,
      });
      task.setCalleeIsAsync(false);
      
      const started = task.enterSync();
      CURRENT_TASK_MAY_BLOCK.value = task.mayBlock() ? 1 : 0;
      
      if (0!== null) {
        task.setReturnMemoryIdx(0);
        task.setReturnMemory((() => memory0)());
      }
      
      
      return _withGlobalCurrentTaskMeta({
        taskID: task.id(),
        componentIdx: task.componentIdx(),
        fn: () => {
          try {
            
            var {servers: v0_0, defaultEnabled: v0_1 } = arg0;
            var vec2 = v0_0;
            var len2 = vec2.length;
            var result2 = realloc0(0, 0, 4, len2 * 8);
            for (let i = 0; i < vec2.length; i++) {
              const e = vec2[i];
              const base = result2 + i * 8;
              var encodeRes = _utf8AllocateAndEncode(e, realloc0, memory0);
              var ptr1= encodeRes.ptr;
              var len1 = encodeRes.len;
              
              dataView(memory0).setUint32(base + 4, len1, true);
              dataView(memory0).setUint32(base + 0, ptr1, true);
            }
            var {naming: v3_0, statePath: v3_1, command: v3_2 } = arg1;
            var val4 = v3_0;
            let enum4;
            switch (val4) {
              case 'dsh': {
                enum4 = 0;
                break;
              }
              case 'gateway': {
                enum4 = 1;
                break;
              }
              default: {
                if ((v3_0) instanceof Error) {
                  console.error(v3_0);
                }
                
                throw new TypeError(`"${val4}" is not one of the cases of naming`);
              }
            }
            
            var encodeRes = _utf8AllocateAndEncode(v3_1, realloc0, memory0);
            var ptr5= encodeRes.ptr;
            var len5 = encodeRes.len;
            
            
            var encodeRes = _utf8AllocateAndEncode(v3_2, realloc0, memory0);
            var ptr6= encodeRes.ptr;
            var len6 = encodeRes.len;
            
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="open"][Instruction::CallWasm] enter', {
              funcName: 'open',
              paramCount: 8,
              async: false,
              postReturn: true,
            });
            
            let ret;
            
            try {
              ret =  _withGlobalCurrentTaskMeta({
                taskID: task.id(),
                componentIdx: task.componentIdx(),
                fn: () => toggle010Open(result2, len2, v0_1 ? 1 : 0, enum4, ptr5, len5, ptr6, len6),
              });
            } catch (err) {
              
              _debugLog('[Instruction::CallWasm] error during sync call', {
                taskID: task.id(),
                err,
              });
              getOrCreateAsyncState(0).markTrapped(err);
              task.setErrored(err);
              task.reject(err);
              task.exit();
              throw err;
              
            }
            
            let variant12;
            switch (dataView(memory0).getUint8(ret + 0, true)) {
              case 0: {
                var handle8 = dataView(memory0).getInt32(ret + 4, true);
                var rsc7 = new.target === Switch ? this : Object.create(Switch.prototype);
                Object.defineProperty(rsc7, symbolRscHandle, { writable: true, value: handle8});
                finalizationRegistry0.register(rsc7, handle8, rsc7);
                Object.defineProperty(rsc7, symbolDispose, { writable: true, value: function () {
                  finalizationRegistry0.unregister(rsc7);
                  const handleEntry = rscTableRemove(handleTable0, handle8);
                  rsc7[symbolDispose] = emptyFunc;
                  rsc7[symbolRscHandle] = undefined;
                  exports0['7'](handleEntry.rep);
                }});
                variant12= {
                  tag: 'ok',
                  val: rsc7
                };
                break;
              }
              case 1: {
                let enum9;
                switch (dataView(memory0).getUint8(ret + 4, true)) {
                  case 0: {
                    enum9 = 'syntax';
                    break;
                  }
                  case 1: {
                    enum9 = 'missing';
                    break;
                  }
                  case 2: {
                    enum9 = 'wrong-type';
                    break;
                  }
                  case 3: {
                    enum9 = 'empty';
                    break;
                  }
                  case 4: {
                    enum9 = 'unprintable';
                    break;
                  }
                  case 5: {
                    enum9 = 'duplicate';
                    break;
                  }
                  case 6: {
                    enum9 = 'unknown';
                    break;
                  }
                  case 7: {
                    enum9 = 'too-much';
                    break;
                  }
                  default: {
                    throw new TypeError('invalid discriminant specified for ProblemKind');
                  }
                }
                var ptr10 = dataView(memory0).getUint32(ret + 8, true);
                var len10 = dataView(memory0).getUint32(ret + 12, true);
                var result10 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr10, len10));
                var ptr11 = dataView(memory0).getUint32(ret + 16, true);
                var len11 = dataView(memory0).getUint32(ret + 20, true);
                var result11 = TEXT_DECODER_UTF8.decode(new Uint8Array(memory0.buffer, ptr11, len11));
                variant12= {
                  tag: 'err',
                  val: {
                    kind: enum9,
                    field: result10,
                    detail: result11,
                  }
                };
                break;
              }
              default: {
                throw new TypeError('invalid variant discriminant for expected');
              }
            }
            _debugLog('[iface="rea:guide/toggle@0.1.0", function="open"][Instruction::Return]', {
              funcName: 'open',
              paramCount: 1,
              async: false,
              postReturn: true
            });
            const retCopy = variant12;
            task.resolve([retCopy.val]);
            
            let cstate = getOrCreateAsyncState(0);
            cstate.mayLeave = false;
            postReturn2(ret);
            cstate.mayLeave = true;
            task.exit();
            
            
            
            if (typeof retCopy === 'object' && retCopy.tag === 'err') {
              throw retCopy.val;
            }
            return retCopy.val;
            
            
          } catch (err) {
            if (!task.isResolvedState()) {
              task.setErrored(err);
              task.reject(err);
            }
            if (!task.isExited()) { task.exit({ skipExclusiveLockCheck: true }); }
            throw err;
          }
        },
      });
      
    }
    const trampoline0 = rscTableCreateOwn.bind(null, handleTable0);
    function trampoline1(handle) {
      const handleEntry = rscTableRemove(handleTable0, handle);
      if (handleEntry.own) {
        exports0['7'](handleEntry.rep);
      }
    }
    let trampoline2 = _trampoline2.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 2,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline2.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatList({
          elemLowerFn: _lowerFlatStringAny,
          elemSize32: 8,
          elemAlign32: 4,
        }), 12, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 12, 4, 4 ],
        ],
        variantSize32: 12,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 3,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline2,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 2,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline2.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatList({
          elemLowerFn: _lowerFlatStringAny,
          elemSize32: 8,
          elemAlign32: 4,
        }), 12, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 12, 4, 4 ],
        ],
        variantSize32: 12,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 3,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline2,
    },
    );
    let trampoline3 = _trampoline3.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 3,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline3.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline3,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 3,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline3.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline3,
    },
    );
    let trampoline4 = _trampoline4.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 4,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline4.manuallyAsync,
      paramLiftFns: [
      _liftFlatEnum({
        caseMetas: [['document', null, 1, 1, 1],['procedure', null, 1, 1, 1],['provider', null, 1, 1, 1],['evidence', null, 1, 1, 1],['process-capture', null, 1, 1, 1],['artifact-manifest', null, 1, 1, 1],['artifact-occurrence', null, 1, 1, 1],['residual-unknown', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      ,_liftFlatStringAny,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['values', _lowerFlatList({
          elemLowerFn: _lowerFlatStringAny,
          elemSize32: 8,
          elemAlign32: 4,
        }), 8, 4 ],['total', _lowerFlatU64, 8, 8 ],], size32: 16, align32: 8 }), 24, 8, 8 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 24, 8, 8 ],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 4,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline4,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 4,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline4.manuallyAsync,
      paramLiftFns: [
      _liftFlatEnum({
        caseMetas: [['document', null, 1, 1, 1],['procedure', null, 1, 1, 1],['provider', null, 1, 1, 1],['evidence', null, 1, 1, 1],['process-capture', null, 1, 1, 1],['artifact-manifest', null, 1, 1, 1],['artifact-occurrence', null, 1, 1, 1],['residual-unknown', null, 1, 1, 1],],
        variantSize32: 1,
        variantAlign32: 1,
        variantPayloadOffset32: 1,
        variantFlatCount: 1,
      })
      ,_liftFlatStringAny,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['values', _lowerFlatList({
          elemLowerFn: _lowerFlatStringAny,
          elemSize32: 8,
          elemAlign32: 4,
        }), 8, 4 ],['total', _lowerFlatU64, 8, 8 ],], size32: 16, align32: 8 }), 24, 8, 8 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 24, 8, 8 ],
        ],
        variantSize32: 24,
        variantAlign32: 8,
        variantPayloadOffset32: 8,
        variantFlatCount: 4,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline4,
    },
    );
    let trampoline5 = _trampoline5.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 5,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline5.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline5,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 5,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline5.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline5,
    },
    );
    let trampoline6 = _trampoline6.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 6,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline6.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline6,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 6,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline6.manuallyAsync,
      paramLiftFns: [],
      resultLowerFns: [_lowerFlatList({
        elemLowerFn: _lowerFlatStringAny,
        elemSize32: 8,
        elemAlign32: 4,
      })],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline6,
    },
    );
    let trampoline7 = _trampoline7.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 7,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline7.manuallyAsync,
      paramLiftFns: [_liftFlatU32,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['text', _lowerFlatStringAny, 8, 4 ],['ends', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],], size32: 16, align32: 4 }), 20, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 20, 4, 4 ],
        ],
        variantSize32: 20,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 5,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline7,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 7,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline7.manuallyAsync,
      paramLiftFns: [_liftFlatU32,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['text', _lowerFlatStringAny, 8, 4 ],['ends', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],], size32: 16, align32: 4 }), 20, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 20, 4, 4 ],
        ],
        variantSize32: 20,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 5,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline7,
    },
    );
    let trampoline8 = _trampoline8.manuallyAsync ? new WebAssembly.Suspending(_suspendingImport(0, _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 8,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline8.manuallyAsync,
      paramLiftFns: [_liftFlatU32,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['text', _lowerFlatStringAny, 8, 4 ],['ends', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],['places', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],], size32: 24, align32: 4 }), 28, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 28, 4, 4 ],
        ],
        variantSize32: 28,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 7,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline8,
    },
    ))) : _lowerImportBackwardsCompat.bind(
    null,
    {
      trampolineIdx: 8,
      componentIdx: 0,
      isAsync: false,
      isManualAsync: _trampoline8.manuallyAsync,
      paramLiftFns: [_liftFlatU32,_liftFlatU32],
      resultLowerFns: [
      _lowerFlatResult({
        caseMetas: [
        [ 'ok', _lowerFlatRecord({ fieldMetas: [['text', _lowerFlatStringAny, 8, 4 ],['ends', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],['places', _lowerFlatList({
          elemLowerFn: _lowerFlatU32,
          elemSize32: 4,
          elemAlign32: 4,
        }), 8, 4 ],], size32: 24, align32: 4 }), 28, 4, 4 ],
        [ 'err', 
        _lowerFlatEnum({
          caseMetas: [['no-target', null, 1, 1, 1],['cold', null, 1, 1, 1],['in-transition', null, 1, 1, 1],['unsupported', null, 1, 1, 1],['failed', null, 1, 1, 1],],
          variantSize32: 1,
          variantAlign32: 1,
          variantPayloadOffset32: 1,
          variantFlatCount: 1,
        })
        , 28, 4, 4 ],
        ],
        variantSize32: 28,
        variantAlign32: 4,
        variantPayloadOffset32: 4,
        variantFlatCount: 7,
      })
      ],
      hasResultPointer: true,
      funcTypeIsAsync: false,
      getCallbackFn: () => null,
      getPostReturnFn: () => null,
      isCancellable: false,
      memoryIdx: 0,
      stringEncoding: 'utf8',
      getMemoryFn: () => memory0,
      getReallocFn: () => realloc0,
      importFn: _trampoline8,
    },
    );
    ({ exports: exports0 } = instantiateCore(module1));
    ({ exports: exports1 } = instantiateCore(module0, {
      '[export]rea:guide/toggle@0.1.0': {
        '[resource-drop]switch': Object.assign(_guardMayLeave(0, trampoline1), { _jcoMaySuspend: false }),
        '[resource-new]switch': Object.assign(_guardMayLeave(0, trampoline0), { _jcoMaySuspend: false }),
      },
      'rea:guide/inventory@0.1.0': {
        names: Object.assign(exports0['6'], { _jcoMaySuspend: false }),
        places: Object.assign(exports0['5'], { _jcoMaySuspend: false }),
      },
      'rea:guide/session@0.1.0': {
        documents: Object.assign(exports0['0'], { _jcoMaySuspend: false }),
        identifiers: Object.assign(exports0['2'], { _jcoMaySuspend: false }),
        providers: Object.assign(exports0['1'], { _jcoMaySuspend: false }),
        'retained-operations': Object.assign(exports0['4'], { _jcoMaySuspend: false }),
        tools: Object.assign(exports0['3'], { _jcoMaySuspend: false }),
      },
    }));
    memory0 = exports1.memory;
    realloc0 = exports1.cabi_realloc;
    
    try {
      realloc0Async = WebAssembly.promising(exports1.cabi_realloc);
    } catch(err) {
      realloc0Async = exports1.cabi_realloc;
    }
    
    ({ exports: exports2 } = instantiateCore(module2, {
      actual: {
        '0': Object.assign(trampoline2, { _jcoMaySuspend: false }),
        '1': Object.assign(trampoline3, { _jcoMaySuspend: false }),
        '2': Object.assign(trampoline4, { _jcoMaySuspend: false }),
        '3': Object.assign(trampoline5, { _jcoMaySuspend: false }),
        '4': Object.assign(trampoline6, { _jcoMaySuspend: false }),
        '5': Object.assign(trampoline7, { _jcoMaySuspend: false }),
        '6': Object.assign(trampoline8, { _jcoMaySuspend: false }),
        '7': Object.assign(exports1['rea:guide/toggle@0.1.0#[dtor]switch'], { _jcoMaySuspend: false }),
      },
      shim: {
        $imports: exports0.$imports,
      },
    }));
    postReturn0 = exports1['cabi_post_rea:guide/prompts@0.1.0#catalogue'];
    
    try {
      postReturn0Async = WebAssembly.promising(exports1['cabi_post_rea:guide/prompts@0.1.0#catalogue']);
    } catch(err) {
      postReturn0Async = exports1['cabi_post_rea:guide/prompts@0.1.0#catalogue'];
    }
    
    postReturn1 = exports1['cabi_post_rea:guide/prompts@0.1.0#render'];
    
    try {
      postReturn1Async = WebAssembly.promising(exports1['cabi_post_rea:guide/prompts@0.1.0#render']);
    } catch(err) {
      postReturn1Async = exports1['cabi_post_rea:guide/prompts@0.1.0#render'];
    }
    
    postReturn2 = exports1['cabi_post_rea:guide/completion@0.1.0#source'];
    
    try {
      postReturn2Async = WebAssembly.promising(exports1['cabi_post_rea:guide/completion@0.1.0#source']);
    } catch(err) {
      postReturn2Async = exports1['cabi_post_rea:guide/completion@0.1.0#source'];
    }
    
    postReturn3 = exports1['cabi_post_rea:guide/completion@0.1.0#complete'];
    
    try {
      postReturn3Async = WebAssembly.promising(exports1['cabi_post_rea:guide/completion@0.1.0#complete']);
    } catch(err) {
      postReturn3Async = exports1['cabi_post_rea:guide/completion@0.1.0#complete'];
    }
    
    postReturn4 = exports1['cabi_post_rea:guide/procedures@0.1.0#advance'];
    
    try {
      postReturn4Async = WebAssembly.promising(exports1['cabi_post_rea:guide/procedures@0.1.0#advance']);
    } catch(err) {
      postReturn4Async = exports1['cabi_post_rea:guide/procedures@0.1.0#advance'];
    }
    
    postReturn5 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.adopt'];
    
    try {
      postReturn5Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.adopt']);
    } catch(err) {
      postReturn5Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.adopt'];
    }
    
    postReturn6 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.prepare-write'];
    
    try {
      postReturn6Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.prepare-write']);
    } catch(err) {
      postReturn6Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.prepare-write'];
    }
    
    postReturn7 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.agents-seen'];
    
    try {
      postReturn7Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.agents-seen']);
    } catch(err) {
      postReturn7Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.agents-seen'];
    }
    
    postReturn8 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.decision'];
    
    try {
      postReturn8Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.decision']);
    } catch(err) {
      postReturn8Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.decision'];
    }
    
    postReturn9 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.status'];
    
    try {
      postReturn9Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.status']);
    } catch(err) {
      postReturn9Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.status'];
    }
    
    postReturn10 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.summary'];
    
    try {
      postReturn10Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.summary']);
    } catch(err) {
      postReturn10Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.summary'];
    }
    
    postReturn11 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.conversations'];
    
    try {
      postReturn11Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.conversations']);
    } catch(err) {
      postReturn11Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.conversations'];
    }
    
    postReturn12 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command'];
    
    try {
      postReturn12Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command']);
    } catch(err) {
      postReturn12Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command'];
    }
    
    postReturn13 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command-answer'];
    
    try {
      postReturn13Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command-answer']);
    } catch(err) {
      postReturn13Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.command-answer'];
    }
    
    postReturn14 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http'];
    
    try {
      postReturn14Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http']);
    } catch(err) {
      postReturn14Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http'];
    }
    
    postReturn15 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http-answer'];
    
    try {
      postReturn15Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http-answer']);
    } catch(err) {
      postReturn15Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.http-answer'];
    }
    
    postReturn16 = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.lift-all'];
    
    try {
      postReturn16Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.lift-all']);
    } catch(err) {
      postReturn16Async = exports1['cabi_post_rea:guide/toggle@0.1.0#[method]switch.lift-all'];
    }
    
    postReturn17 = exports1['cabi_post_rea:guide/toggle@0.1.0#read-config'];
    
    try {
      postReturn17Async = WebAssembly.promising(exports1['cabi_post_rea:guide/toggle@0.1.0#read-config']);
    } catch(err) {
      postReturn17Async = exports1['cabi_post_rea:guide/toggle@0.1.0#read-config'];
    }
    
    prompts010Catalogue = exports1['rea:guide/prompts@0.1.0#catalogue'];
    prompts010Render = exports1['rea:guide/prompts@0.1.0#render'];
    completion010Source = exports1['rea:guide/completion@0.1.0#source'];
    completion010Complete = exports1['rea:guide/completion@0.1.0#complete'];
    procedures010Begin = exports1['rea:guide/procedures@0.1.0#begin'];
    procedures010Advance = exports1['rea:guide/procedures@0.1.0#advance'];
    toggle010MethodSwitchAdopt = exports1['rea:guide/toggle@0.1.0#[method]switch.adopt'];
    toggle010MethodSwitchPrepareWrite = exports1['rea:guide/toggle@0.1.0#[method]switch.prepare-write'];
    toggle010MethodSwitchToolsChanged = exports1['rea:guide/toggle@0.1.0#[method]switch.tools-changed'];
    toggle010MethodSwitchSizesTold = exports1['rea:guide/toggle@0.1.0#[method]switch.sizes-told'];
    toggle010MethodSwitchAgentsSeen = exports1['rea:guide/toggle@0.1.0#[method]switch.agents-seen'];
    toggle010MethodSwitchLineageTold = exports1['rea:guide/toggle@0.1.0#[method]switch.lineage-told'];
    toggle010MethodSwitchAgentGone = exports1['rea:guide/toggle@0.1.0#[method]switch.agent-gone'];
    toggle010MethodSwitchHolds = exports1['rea:guide/toggle@0.1.0#[method]switch.holds'];
    toggle010MethodSwitchDecision = exports1['rea:guide/toggle@0.1.0#[method]switch.decision'];
    toggle010MethodSwitchStatus = exports1['rea:guide/toggle@0.1.0#[method]switch.status'];
    toggle010MethodSwitchSummary = exports1['rea:guide/toggle@0.1.0#[method]switch.summary'];
    toggle010MethodSwitchConversations = exports1['rea:guide/toggle@0.1.0#[method]switch.conversations'];
    toggle010MethodSwitchCommand = exports1['rea:guide/toggle@0.1.0#[method]switch.command'];
    toggle010MethodSwitchCommandAnswer = exports1['rea:guide/toggle@0.1.0#[method]switch.command-answer'];
    toggle010MethodSwitchHttp = exports1['rea:guide/toggle@0.1.0#[method]switch.http'];
    toggle010MethodSwitchHttpAnswer = exports1['rea:guide/toggle@0.1.0#[method]switch.http-answer'];
    toggle010MethodSwitchLiftAll = exports1['rea:guide/toggle@0.1.0#[method]switch.lift-all'];
    toggle010ReadConfig = exports1['rea:guide/toggle@0.1.0#read-config'];
    toggle010Sizes = exports1['rea:guide/toggle@0.1.0#sizes'];
    toggle010EstimateTokens = exports1['rea:guide/toggle@0.1.0#estimate-tokens'];
    toggle010Open = exports1['rea:guide/toggle@0.1.0#open'];
    const completion010 = {
      complete: complete,
      source: source,
      
    };
    const procedures010 = {
      advance: advance,
      begin: begin,
      
    };
    const prompts010 = {
      catalogue: catalogue,
      render: render,
      
    };
    const toggle010 = {
      Switch: Switch,
      estimateTokens: estimateTokens,
      open: open,
      readConfig: readConfig,
      sizes: sizes,
      
    };
    
    return { completion: completion010, procedures: procedures010, prompts: prompts010, toggle: toggle010, 'rea:guide/completion@0.1.0': completion010, 'rea:guide/procedures@0.1.0': procedures010, 'rea:guide/prompts@0.1.0': prompts010, 'rea:guide/toggle@0.1.0': toggle010,  };
  })();
  let promise, resolve, reject;
  function normalizeInstantiationError(e) {
    // Native JSPI rejects a suspending import called from a
    // core start function before entering its JS wrapper.
    // At component instantiation time that always means the
    // implicit synchronous task attempted to block.
    if (typeof WebAssembly.SuspendError === 'function' && e instanceof WebAssembly.SuspendError) {
      return new WebAssembly.RuntimeError('cannot block a synchronous task before returning');
    }
    return e;
  }
  function runNext(value) {
    try {
      let done;
      do {
        ({ value, done } = gen.next(value));
      } while (!(value instanceof Promise) && !done);
      if (done) {
        if (resolve) return resolve(value);
        else return value;
      }
      if (!promise) promise = new Promise((_resolve, _reject) => (resolve = _resolve, reject= _reject));
      value.then(nextVal => done ? resolve() : runNext(nextVal), e => reject(normalizeInstantiationError(e)));
    }
    catch (e) {
      e = normalizeInstantiationError(e);
      if (reject) reject(e);
      else throw e;
    }
  }
  const maybeSyncReturn = runNext(null);
  return promise || maybeSyncReturn;
};

export const _util = {
  
}

