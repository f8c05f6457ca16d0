/** The seed of a test that draws chance: the same in every run, unless the variable names another, or `random`. */
export function seedOf(variable: string): number {
  const given = process.env[variable] ?? '1'
  return given === 'random' ? Date.now() % 2 ** 31 : Number(given)
}
