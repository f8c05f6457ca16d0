import { readFileSync } from 'node:fs'

export const version: string = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version

/** The API grows with the first two numbers of a version. The third brings repairs alone. */
export function isOlder(one: string, other: string): boolean {
  const [major = 0, minor = 0] = one.split('.').map(Number)
  const [otherMajor = 0, otherMinor = 0] = other.split('.').map(Number)
  return major < otherMajor || (major === otherMajor && minor < otherMinor)
}
