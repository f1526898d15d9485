// A plugin of typedoc: no warnings about comments of packages, which cannot be mended here. typedoc's own option,
// `suppressCommentWarningsInDeclarationFiles`, leaves out those about tags that occur twice.

const FOREIGN = /\bcomment at \S*node_modules\//;

/** Called by typedoc. */
export function load({ logger }) {
  const warn = logger.warn.bind(logger);
  logger.warn = (message, ...at) => {
    if (!FOREIGN.test(message)) warn(message, ...at);
  };
}
