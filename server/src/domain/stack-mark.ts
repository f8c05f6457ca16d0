import { stackLabel } from '@tocsin/contract'

/** The labels that show the stack of an entity that has no labels of its own. */
export function stackMark(stack: string | null): { labels?: Record<string, string> } {
  return stack === null ? {} : { labels: { [stackLabel]: stack } }
}
