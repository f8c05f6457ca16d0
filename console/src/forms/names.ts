import { isSegment } from '@tocsin/contract'
import { ApiError } from '@tocsin/sdk'

/** Makes a name from a title: “Big transfer” → “big-transfer”. */
export function nameFrom(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '')
}

export function nameIssue(path: string, name: string): { path: string; message: string }[] {
  if (isSegment(name)) return []
  return [{ path, message: 'Use lower case letters, digits and hyphens. Begin and end with a letter or digit.' }]
}

const namesMax = 20
const lengthMax = 64

/** The names to try when a name is taken: `timer`, `timer-2`, `timer-3` … A long name is shortened to stay valid. */
function numberedName(base: string, number: number, separator = '-'): string {
  const suffix = number === 1 ? '' : `${separator}${number}`
  return `${base.slice(0, lengthMax - suffix.length)}${suffix}`
}

/** The first of the numbered names that is free. */
export function freeName(base: string, isTaken: (name: string) => boolean, separator?: string): string {
  let number = 1
  while (isTaken(numberedName(base, number, separator))) number++
  return numberedName(base, number, separator)
}

/** Calls `create` with one name after the other until the service accepts one. Only the service knows which are taken. */
export async function createUnderFreeName(
  base: string,
  takenCodes: readonly string[],
  create: (name: string) => Promise<unknown>,
): Promise<string> {
  for (let number = 1; ; number++) {
    const name = numberedName(base, number)
    try {
      await create(name)
      return name
    } catch (error) {
      const isTaken = error instanceof ApiError && takenCodes.includes(error.code)
      if (!isTaken || number === namesMax) throw error
    }
  }
}
