import { isUsable } from './plain-value.ts'

/** Returns a function that makes `params` from `args`: the values by the names of their inputs. */
export function paramsMaker(
  inputs: readonly { name?: string | undefined }[],
): (args: readonly unknown[]) => Record<string, unknown> {
  const names = inputs.map(({ name }) => (isUsable(name) ? name : undefined))
  // The copied object already has all names, which is faster than adding them one by one.
  const unset = Object.fromEntries(names.flatMap((name) => (name === undefined ? [] : [[name, null]])))
  return (args) => {
    const params: Record<string, unknown> = { ...unset }
    for (let at = 0; at < names.length; at++) {
      const name = names[at]
      if (name !== undefined) params[name] = args[at]
    }
    return params
  }
}
