import { isObject } from '../base/is-object.ts'

/** What a channel answered, as far as it is an object; its errors are told by status. */
export function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
