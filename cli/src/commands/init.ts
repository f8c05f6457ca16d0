import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSegment, StackName } from '@tocsin/contract'
import { stringify } from 'yaml'
import { type AddCommand, examples } from '../command.ts'
import { Failure } from '../failure.ts'
import { foldersOfKinds } from '../folder/kinds.ts'
import { stackFileName } from '../folder/stack-file.ts'
import { readLogin } from '../server/login-file.ts'
import { requireServerUrl } from '../server/session.ts'
import { ask } from '../terminal/ask.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

type Options = { workspace?: string; stack?: string; server?: string }

export const addInit: AddCommand = ({ program, terminal, done }) => {
  program
    .command('init')
    .summary('start a stack in a folder')
    .description(`Writes ${stackFileName} and a folder for each kind of definition. \`tocsin pull\` then fills them.`)
    .option('--workspace <workspace>', 'the workspace of the stack')
    .option('--stack <name>', 'the name of the stack, unique in the workspace')
    .option('--server <url>', 'write the address of the server into the file')
    .addHelpText('after', examples('tocsin init --workspace acme --stack production'))
    .action(async (options: Options) => done(await initStack(terminal, program.opts().folder ?? '.', options)))
}

async function initStack(terminal: Terminal, folder: string, options: Options): Promise<Outcome> {
  const root = resolve(terminal.cwd, folder)
  const file = join(root, stackFileName)
  if (existsSync(file)) throw new Failure('already_exists', `${file} exists already.`)
  const workspace = options.workspace ?? (await ask(terminal, 'Workspace', '--workspace'))
  const stack = options.stack ?? (await ask(terminal, 'Name of the stack', '--stack'))
  if (!isSegment(workspace)) throw new Failure('invalid_name', `"${workspace}" is not the name of a workspace.`)
  if (!StackName.safeParse(stack).success)
    throw new Failure('invalid_name', `"${stack}" cannot name a stack: use letters, digits and inner ".", "_" and "-".`)
  const server = options.server === undefined ? undefined : requireServerUrl(options.server)
  const schemas = server ?? terminal.env.TOCSIN_URL ?? readLogin(terminal.env)?.current
  const hint = schemas === undefined ? '' : `# yaml-language-server: $schema=${schemas}/api/schemas/stack.json\n`
  for (const name of [...Object.values(foldersOfKinds), 'tests']) mkdirSync(join(root, name), { recursive: true })
  writeFileSync(file, `${hint}${stringify({ apiVersion: 1, ...(server && { server }), workspace, stack })}`, {
    flag: 'wx',
  })
  return {
    json: { file, workspace, stack },
    text: `Wrote ${file}. Next: \`tocsin pull\`, or write a file into triggers/.`,
  }
}
