import { TriggerSave } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import { type Folder, readFolder, requireNoProblems } from '../folder/read-folder.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Case, casesOf, readTests } from './cases.ts'

export type TestCase = { wanted: Case; definition: TriggerSave }

/** The folder with the blocks of its tests; those of one file or trigger if it is named. */
export function prepareTests(
  terminal: Terminal,
  folderName: string | undefined,
  only: string | undefined,
): { folder: Folder; cases: TestCase[] } {
  const folder = readFolder({ ...terminal, folder: folderName })
  const { tests, problems } = readTests(folder)
  requireNoProblems(problems)
  const chosen = tests.filter(({ file, trigger }) => only === undefined || file === only || trigger === only)
  if (chosen.length === 0)
    throw new Failure(
      'no_tests',
      only === undefined
        ? 'The folder tests/ has no tests.'
        : `No test is the file ${only} or tests the trigger ${only}.`,
    )
  const cases = casesOf(chosen).map((wanted) => ({ wanted, definition: definitionOf(folder, wanted) }))
  return { folder, cases }
}

function definitionOf({ entities }: Folder, { test }: Case): TriggerSave {
  const entity = entities.find(({ kind, name }) => kind === 'trigger' && name === test.trigger)
  return TriggerSave.parse(entity?.payload)
}
