import { AlertListQuery, type AlertView } from '@tocsin/contract'
import type * as z from 'zod'
import { type AddCommand, examples, requireQuery } from '../command.ts'
import { findStack } from '../definition/find-trigger.ts'
import { openSession, type Session } from '../server/session.ts'
import { safeLine } from '../terminal/safe-text.ts'
import type { Terminal } from '../terminal/terminal.ts'

type Alert = z.output<typeof AlertView>
type Filter = z.output<typeof AlertListQuery>
type Options = {
  follow?: boolean
  limit: string
  workspace?: string
  project?: string
  trigger?: string
  status?: string
  severity?: string
}

export const addAlerts: AddCommand = ({ program, terminal, done }) => {
  program
    .command('alerts')
    .summary('list alerts, or follow them')
    .description('Lists the latest alerts, the oldest of them first. With --follow it goes on with those that arrive.')
    .option('--follow', 'go on with new alerts until you stop it; with --json one per line')
    .option('--limit <count>', 'how many alerts to begin with', '20')
    .option('--workspace <workspace>', 'alerts of this workspace (default: that of the stack)')
    .option('--project <project>', 'alerts of this project')
    .option('--trigger <trigger>', 'alerts of this trigger')
    .option('--status <status>', 'alerts with this status')
    .option('--severity <severity>', 'info, warning or critical')
    .addHelpText('after', examples('tocsin alerts --limit 5', 'tocsin alerts --follow --severity critical'))
    .action(async ({ follow = false, ...options }: Options) => {
      const stack = findStack(terminal, program.opts().folder)
      const filter = requireQuery(AlertListQuery, { workspace: stack?.workspace, ...options })
      const session = await openSession(terminal, stack?.server)
      if (follow) return followAlerts(terminal, session, filter)
      const alerts = await latestAlerts(session, filter)
      done({ json: alerts, text: alerts.length === 0 ? 'No alerts.' : alerts.map(alertText).join('\n') })
    })
}

/** The oldest of them first, as they would have arrived. */
async function latestAlerts(session: Session, filter: Filter): Promise<Alert[]> {
  return (await session.call((client) => client.listAlerts({ query: filter }))).toReversed()
}

/**
 * Shows the latest alerts and those that arrive. The stream is open before the list is read, so no alert is lost between
 * the two. A delivery changes its alert, which then arrives again: it is shown once.
 */
async function followAlerts(terminal: Terminal, session: Session, filter: Filter): Promise<void> {
  const stop = new AbortController()
  const shown = new Set<string>()
  const show = (alert: Alert) => {
    if (shown.has(alert.id) || !isWanted(alert, filter)) return
    shown.add(alert.id)
    terminal.printLine(alert, alertText(alert))
  }
  let failure: unknown
  let listing: Promise<void> | undefined
  const showLatest = async () => {
    for (const alert of await latestAlerts(session, filter)) show(alert)
  }
  const list = () => {
    listing = showLatest().catch((error: unknown) => {
      failure = error
      stop.abort()
    })
  }
  const onOpen = () => {
    if (!listing) list()
  }
  await session.call(async (client) => {
    for await (const { event, data } of client.stream({ workspace: filter.workspace, onOpen, signal: stop.signal })) {
      // After a gap the server no longer knows what was missed, so the list is read again.
      if (event === 'gap') list()
      await listing
      if (event === 'alert') show(data)
    }
  })
  if (failure !== undefined) throw failure
}

function isWanted(alert: Alert, { project, trigger, status, severity }: Filter): boolean {
  const fits = (wanted: string | undefined, has: string) => wanted === undefined || wanted === has
  return (
    fits(project, alert.project) &&
    fits(trigger, alert.trigger) &&
    fits(status, alert.status) &&
    fits(severity, alert.severity)
  )
}

function alertText({ createdAt, severity, state, status, trigger, message }: Alert): string {
  return safeLine([createdAt, severity, ...(state ? [state] : []), status, trigger, message.title].join('  '))
}
