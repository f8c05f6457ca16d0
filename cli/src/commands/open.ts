import { spawn } from 'node:child_process'
import { type AddCommand, examples } from '../command.ts'
import { findStack } from '../definition/find-trigger.ts'
import { Failure } from '../failure.ts'
import { openSession } from '../server/session.ts'

export const addOpen: AddCommand = ({ program, terminal, done }) => {
  program
    .command('open')
    .argument('[trigger]', 'fullname of a trigger')
    .summary('open the console')
    .description('Opens the page of the workspace or of a trigger. Without a terminal it only prints the address.')
    .addHelpText('after', examples('tocsin open', 'tocsin open acme.whales.transfer'))
    .action(async (trigger: string | undefined) => {
      const stack = findStack(terminal, program.opts().folder)
      const workspace = trigger?.split('.')[0] ?? stack?.workspace
      if (workspace === undefined)
        throw new Failure('missing_option', 'Name a trigger, or run this in the folder of a stack.')
      const { url } = await openSession(terminal, stack?.server)
      const page = trigger === undefined ? 'triggers' : `triggers/${encodeURIComponent(trigger)}`
      const address = `${url}/w/${encodeURIComponent(workspace)}/${page}`
      if (terminal.isTerminal.out && !terminal.isJson) openBrowser(address)
      done({ json: { url: address }, text: address })
    })
}

const openers: Partial<Record<NodeJS.Platform, [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** The address is printed too, so a machine without a browser loses nothing. */
function openBrowser(address: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, address], { stdio: 'ignore', detached: true })
  child.once('error', () => undefined)
  child.unref()
}
