/** The compiler warns of what people with a screen reader or a keyboard could not use; `npm run check` fails on it. */
export default {
  compilerOptions: { runes: true },
};
