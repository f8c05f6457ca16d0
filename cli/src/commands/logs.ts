import { TriggerLogsQuery } from '@tocsin/contract'
import { type AddCommand, examples, requireQuery } from '../command.ts'
import { findStack } from '../definition/find-trigger.ts'
import { openSession } from '../server/session.ts'
import { safeLine } from '../terminal/safe-text.ts'

export const addLogs: AddCommand = ({ program, terminal, done }) => {
  program
    .command('logs')
    .argument('<trigger>', 'fullname of the trigger')
    .summary('show deliveries and failures of a trigger')
    .description('Shows deliveries, failures and pressure of the sources of a trigger, newest first.')
    .option('--limit <count>', 'at most this many entries', '100')
    .option('--status <status>', 'delivered, failed, rate_limited, blocked or limited')
    .addHelpText('after', examples('tocsin logs acme.whales.transfer --status failed'))
    .action(async (fullname: string, options: { limit: string; status?: string }) => {
      const query = requireQuery(TriggerLogsQuery, options)
      const session = await openSession(terminal, findStack(terminal, program.opts().folder)?.server)
      const found = await session.call((client) => client.getTriggerLogs({ fullname, query }))
      const lines = found.logs.map(({ lastSeenAt, status, kind, reasonCode, message, resource, source, count }) =>
        safeLine(
          [lastSeenAt, status, kind, resource ?? source, reasonCode, message, count > 1 ? `×${count}` : undefined]
            .filter((part) => part !== undefined)
            .join('  '),
        ),
      )
      const { status, issue } = found.trigger.status
      done({
        json: found,
        text: [safeLine(`${fullname} is ${status}${issue ? `: ${issue}` : ''}`), ...lines].join('\n'),
      })
    })
}
