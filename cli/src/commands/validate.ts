import { type AddCommand, examples } from '../command.ts'
import { readTests } from '../definition-tests/cases.ts'
import { readFolder, requireNoProblems } from '../folder/read-folder.ts'
import { findSession } from '../server/session.ts'
import { planFolder, requireNoIssues } from '../stack/plan.ts'
import { warningLines } from '../stack/plan-text.ts'

export const addValidate: AddCommand = ({ program, terminal, done }) => {
  program
    .command('validate')
    .summary('check the files')
    .description('Checks every file: form, unknown fields, variables; and on the server scripts, ABIs and names.')
    .option('--offline', 'do not ask the server')
    .addHelpText('after', examples('tocsin validate', 'tocsin validate --offline'))
    .action(async ({ offline = false }: { offline?: boolean }) => {
      const folder = readFolder({ ...terminal, folder: program.opts().folder })
      requireNoProblems(readTests(folder).problems)
      const session = offline ? undefined : await findSession(terminal, folder.stack.server)
      const plan = session && (await planFolder(session, folder, false, terminal.env))
      if (plan) requireNoIssues(plan, folder)
      const warnings = plan?.warnings ?? []
      const where = session ? `here and by ${session.url}` : 'here; not by a server'
      const files = folder.entities.length === 1 ? '1 file' : `${folder.entities.length} files`
      done({
        json: { valid: true, files: folder.entities.length, server: session?.url ?? null, warnings },
        text: [...warningLines(warnings, terminal.colours), `${files} valid (checked ${where}).`].join('\n'),
      })
    })
}
