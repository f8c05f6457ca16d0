/** The stream `<workspace>.health`: changes of what a workspace relies on. */
import * as z from 'zod'

/** A change for the worse or the better. */
export const HealthItem = z.object({
  type: z.enum(['source', 'trigger', 'destination']),
  /** The fullname of the source, trigger or resource. */
  name: z.string(),
  status: z.string(),
  previousStatus: z.string(),
  /** How bad `status` is: `info` if everything works again. */
  severity: z.enum(['info', 'warning', 'critical']),
  message: z.string(),
  at: z.string(),
})
export type HealthItem = z.output<typeof HealthItem>

/** The stream of a workspace's health, such as `acme.health`. A trigger's name has more segments. */
export function healthStreamOf(workspace: string): string {
  return `${workspace}.health`
}

/** The workspace whose health a stream is; undefined for any other stream. */
export function workspaceOfHealth(stream: unknown): string | undefined {
  return typeof stream === 'string' ? /^([^.]+)\.health$/.exec(stream)?.[1] : undefined
}
