import { isObject } from '../base/json.ts'

/** Parses an answer; {} if it is not a JSON object. The status tells about errors. */
export function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
