// Warnings, in the host's log where it has one.

/**
 * @param {object} ctx of the plugin
 * @returns {{warn(text: string): void, once(key: string, text: string): void}} `once` says one key once
 */
export function sayer(ctx) {
  const said = new Set();
  let logger;
  try {
    logger = typeof ctx.logger === 'function' ? ctx.logger('rea-toggle') : ctx.logger;
  } catch {
    // A host without a log.
  }
  const warn = (text) => {
    try {
      // The text is data: it holds names and paths, and must not be taken for a format.
      if (logger) logger.warn('%s', text);
      else console.warn(`rea-toggle: ${text}`);
    } catch {
      // A warning that can't be said must not become an error.
    }
  };
  return {
    warn,
    once(key, text) {
      if (said.has(key) || said.size >= 1000) return;
      said.add(key);
      warn(text);
    },
  };
}
