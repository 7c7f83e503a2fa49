// Positions in the state file: changed under the lock, and adopted by the policy whoever changed them.

import { Busy, takeLock } from './lock.mjs';
import { keepAside, makeFolder, read, real, replace, signature } from './file.mjs';
import { Refused } from './policy.mjs';

/** How long a change waits for others who are changing the file, in ms. They take some each. */
const WAIT = 10_000;

/** Between two looks at the file, in ms. */
const INTERVAL = 250;

/** The state file and the policy that goes by it. */
export class Store {
  #path;
  #policy;
  #carryOut;
  #warn;
  #most;
  #seen = null;
  #turn = Promise.resolve();
  #readable = true;

  /**
   * @param {string} path of the state file; it is made at the first change
   * @param {import('./policy.mjs').Policy} policy
   * @param {(orders: import('./policy.mjs').Orders) => void} carryOut what positions come to
   * @param {(text: string) => void} warn
   */
  constructor(path, policy, carryOut, warn) {
    this.#path = path;
    this.#policy = policy;
    this.#carryOut = carryOut;
    this.#warn = warn;
    this.#most = policy.sizes.documentBytes;
  }

  /**
   * Adopts the file if it isn't the one that was adopted last. Synchronous: what is adopted is always the latest, and
   * a step can begin right after.
   */
  refresh() {
    try {
      if ((signature(this.#path) ?? '') === this.#seen) return;
      const content = read(this.#path, this.#most);
      this.#readable = true;
      const { orders, damage } = this.#policy.adopt(content?.bytes);
      this.#seen = content?.signature ?? '';
      if (damage) this.#warn(`${this.#path}: ${damage.detail} What is readable of it is used.`);
      this.#carryOut(orders);
    } catch (error) {
      // The positions known before stand.
      if (this.#readable) this.#warn(`${this.#path} can't be followed, what was known of it stands: ${error.message}`);
      this.#readable = false;
    }
  }

  /**
   * Looks after the file.
   * @returns {() => void} ends it
   */
  watch() {
    // By looking, and not through notifications: that works in folders that are shared with a network or a container,
    // and a look takes a microsecond.
    const timer = setInterval(() => this.refresh(), INTERVAL);
    timer.unref?.();
    return () => clearInterval(timer);
  }

  /**
   * Changes a position: in the file, flushed to the disk, then in the policy.
   * @param {{session: string, to: string}} change
   * @returns {Promise<{kind: 'busy' | 'failed', detail: string} | undefined>} why nothing has changed, if so
   */
  change(change) {
    // Who changes waits here, and not at the lock, for the others of this plugin.
    const mine = this.#turn.then(() => this.#change(change)).then(() => undefined, (error) => this.#failure(error));
    this.#turn = mine;
    return mine;
  }

  async #change(change) {
    const path = real(this.#path);
    await makeFolder(path);
    const lock = await takeLock(path, WAIT);
    let written;
    try {
      const current = read(path, this.#most)?.bytes;
      written = this.#policy.prepareWrite(current, change);
      if (written.damage) {
        const aside = await keepAside(path);
        this.#warn(`${path}: ${written.damage.detail} It is kept as ${aside}.`);
      }
      await replace(path, written.document, () => lock.check(), this.#warn);
    } finally {
      await lock.release();
    }
    // Not what was written but what is there: somebody else may have changed it since.
    this.refresh();
    if (!this.#readable) this.#carryOut(this.#policy.adopt(written.document).orders);
  }

  #failure(error) {
    if (error instanceof Refused) return { kind: 'failed', detail: sentence(error.message) };
    if (error instanceof Busy) return { kind: 'busy', detail: sentence(error.message) };
    // Of an error of the system the message says the path.
    const text = error?.code ? `${this.#path} can't be changed: ${error.message}` : String(error?.message ?? error);
    this.#warn(text);
    return { kind: 'failed', detail: sentence(text) };
  }
}

const sentence = (text) => (/[.!?]$/u.test(text) ? text : `${text}.`);
