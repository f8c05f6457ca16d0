import { ApiError } from '@tocsin/sdk'
import { type AddCommand, examples } from '../command.ts'
import { readEntities, requireNoProblems } from '../folder/read-folder.ts'
import { variable } from '../folder/resolve.ts'
import { readStack, type Stack } from '../folder/stack-file.ts'
import { openSession, type Session } from '../server/session.ts'
import { fetchEntities } from '../stack/fetch-entities.ts'
import { planFolder } from '../stack/plan.ts'
import { type Pulled, pullInto } from '../stack/pull.ts'
import type { Colours } from '../terminal/colours.ts'
import type { Terminal } from '../terminal/terminal.ts'

export const addPull: AddCommand = ({ program, terminal, done }) => {
  program
    .command('pull')
    .summary('write what the server has into the files')
    .description(
      `Writes the entities of the stack into files. Secrets become variables such as ${variable('ACME_HOOK_URL')}.`,
    )
    .option('--prune', 'remove the files of entities that the stack does not have on the server')
    .addHelpText('after', examples('tocsin pull', 'tocsin pull --prune'))
    .action(async ({ prune = false }: { prune?: boolean }) => {
      const stack = readStack(terminal.cwd, program.opts().folder)
      const { entities, problems } = readEntities(stack, terminal.env, { isLenient: true })
      requireNoProblems(problems)
      const session = await openSession(terminal, stack.server)
      const server = await fetchEntities(session, stack.workspace, stack.stack)
      const settled = await findSettled(terminal, session, stack)
      const pulled = pullInto({ stack, server, local: entities, prune, settled, schemasUrl: session.url })
      done({ json: pulled, text: pulledText(pulled, terminal.colours) })
    })
}

/**
 * The entities whose files mean what the server has, as a plan decides it: the server fills in defaults and secrets of its
 * own. A file that cannot be sent, because its variables are not set, is compared field by field instead.
 */
async function findSettled(terminal: Terminal, session: Session, stack: Stack): Promise<ReadonlySet<string>> {
  const { entities, problems } = readEntities(stack, terminal.env)
  const wrong = new Set(problems.map(({ file }) => file))
  const sound = entities.filter(({ parsed }) => !wrong.has(parsed.file))
  try {
    const { changes } = await planFolder(session, { stack, entities: sound }, false, terminal.env)
    return new Set(changes.filter(({ action }) => action === 'none').map(({ kind, fullname }) => `${kind} ${fullname}`))
  } catch (error) {
    // Reading needs fewer rights than planning.
    if (error instanceof ApiError && error.code === 'forbidden') return new Set()
    throw error
  }
}

const colourOf = { created: 'green', updated: 'yellow', removed: 'red', kept: 'cyan', unchanged: 'grey' } as const

function pulledText({ files, variables }: Pulled, colours: Colours): string {
  const changed = files.filter(({ action }) => action !== 'unchanged')
  const lines = changed.map(({ file, action }) => {
    const why = action === 'kept' ? ' (not in the stack on the server; --prune removes it)' : ''
    return `${colours[colourOf[action]](action)} ${file}${why}`
  })
  const names = variables.map(({ name, kind, fullname, path }) => `  ${name}: ${path} of the ${kind} ${fullname}`)
  const set = names.length === 0 ? [] : ['Set these variables before you plan:', ...names]
  const written = changed.filter(({ action }) => action !== 'kept').length
  const entities = new Set(files.map(({ kind, fullname }) => `${kind} ${fullname}`)).size
  const totals = `${entities} ${entities === 1 ? 'entity' : 'entities'}, ${written} ${written === 1 ? 'file' : 'files'} changed.`
  return [...lines, ...set, totals].join('\n')
}
