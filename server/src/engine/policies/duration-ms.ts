import { parseDurationMs } from '@tocsin/contract'

/** A checked duration of a policy; 0 if it has none. */
export function durationMs(text: string | undefined): number {
  return text === undefined ? 0 : (parseDurationMs(text) ?? 0)
}
