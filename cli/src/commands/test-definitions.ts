import { type AddCommand, examples } from '../command.ts'
import { type CaseResult, judge } from '../definition-tests/cases.ts'
import { prepareTests } from '../definition-tests/prepare.ts'
import { runOnRecording, runOnSource } from '../definition-tests/recording.ts'
import { openSession } from '../server/session.ts'
import type { Colours } from '../terminal/colours.ts'
import { showProgress } from '../terminal/progress.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

export const addTest: AddCommand = ({ program, terminal, done }) => {
  program
    .command('test')
    .argument('[test]', 'a file of tests/, or a trigger (default: all tests)')
    .summary('run the tests of the definitions')
    .description('Runs tests/*.yaml with the definitions of the folder, on the blocks of the server’s sources.')
    .option('--offline', 'use the recordings of `tocsin record`, and no source')
    .addHelpText('after', examples('tocsin test', 'tocsin test tests/whale.yaml --offline'))
    .action(async (only: string | undefined, { offline = false }: { offline?: boolean }) =>
      done(await runTests(terminal, program.opts().folder, only, offline)),
    )
}

async function runTests(
  terminal: Terminal,
  folderName: string | undefined,
  only: string | undefined,
  isOffline: boolean,
): Promise<Outcome> {
  const { folder, cases } = prepareTests(terminal, folderName, only)
  const session = await openSession(terminal, folder.stack.server)
  const progress = showProgress(terminal)
  const results: CaseResult[] = []
  try {
    for (const { wanted, definition } of cases) {
      progress.show(`Block ${results.length + 1} of ${cases.length}`)
      const seen = isOffline
        ? await runOnRecording(session, folder.stack.root, definition, wanted.block)
        : await runOnSource(session, definition, wanted.block)
      results.push(judge(wanted, seen))
    }
  } finally {
    progress.end()
  }
  const failed = results.filter(({ ok }) => !ok).length
  const json = { passed: results.length - failed, failed, results }
  return { json, text: resultsText(results, failed, terminal.colours), code: failed > 0 ? 1 : 0 }
}

function resultsText(results: readonly CaseResult[], failed: number, colours: Colours): string {
  const lines = results.map(({ ok, file, line, trigger, block, message }) => {
    const mark = ok ? colours.green('ok') : colours.red('FAILED')
    return `${mark} ${file}:${line} ${trigger}, block ${block}: ${message}`
  })
  return [...lines, `${results.length - failed} passed, ${failed} failed`].join('\n')
}
