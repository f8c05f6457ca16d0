import { type AddCommand, examples } from '../command.ts'
import { prepareTests } from '../definition-tests/prepare.ts'
import { recordBlock } from '../definition-tests/recording.ts'
import { openSession } from '../server/session.ts'
import { showProgress } from '../terminal/progress.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

export const addRecord: AddCommand = ({ program, terminal, done }) => {
  program
    .command('record')
    .argument('[test]', 'a file of tests/, or a trigger (default: all tests)')
    .summary('keep the blocks of the tests in files')
    .description(
      'Keeps what the tests need of their blocks in recordings/, so that `tocsin test --offline` needs no source.',
    )
    .addHelpText('after', examples('tocsin record', 'tocsin record acme.whales.transfer'))
    .action(async (only: string | undefined) => done(await record(terminal, program.opts().folder, only)))
}

async function record(terminal: Terminal, folderName: string | undefined, only: string | undefined): Promise<Outcome> {
  const { folder, cases } = prepareTests(terminal, folderName, only)
  const session = await openSession(terminal, folder.stack.server)
  const blocks = new Map(cases.map((each) => [`${each.definition.fullname} ${each.wanted.block}`, each]))
  const progress = showProgress(terminal)
  const files: string[] = []
  try {
    for (const { definition, wanted } of blocks.values()) {
      progress.show(`Block ${files.length + 1} of ${blocks.size}`)
      files.push(await recordBlock(session, folder.stack.root, definition, wanted.block))
    }
  } finally {
    progress.end()
  }
  return { json: { files }, text: files.map((file) => `Wrote ${file}`).join('\n') }
}
