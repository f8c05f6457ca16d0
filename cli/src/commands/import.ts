import { resolve } from 'node:path'
import { type AddCommand, choiceOf, examples } from '../command.ts'
import { Failure } from '../failure.ts'
import { yamlText } from '../folder/file-text.ts'
import { writeInside } from '../folder/files.ts'
import { type Entity, entityId } from '../folder/kinds.ts'
import { readEntities } from '../folder/read-folder.ts'
import { readStack, type Stack } from '../folder/stack-file.ts'
import { formats, isFormat } from '../import/formats.ts'
import { type Imported, outcomeText } from '../import/importer.ts'
import { newFile } from '../stack/pull.ts'
import type { Outcome, Terminal } from '../terminal/terminal.ts'

export const addImport: AddCommand = ({ program, terminal, done }) => {
  program
    .command('import')
    .summary('write the definitions of another tool into the files')
    .description(
      'Reads the definitions of another tool and writes them as files of the stack. The report has a line for each definition: exact, changed or not possible.',
    )
    .addArgument(choiceOf('<format>', 'the tool', Object.keys(formats)))
    .argument('<path>', 'a file, or the folder of its files')
    .addHelpText(
      'after',
      examples('tocsin import openzeppelin-monitor ./config', 'tocsin import rindexer ./rindexer.yaml'),
    )
    .action(async (format: string, path: string) => {
      const stack = readStack(terminal.cwd, program.opts().folder)
      if (!isFormat(format))
        throw new Failure('usage', `There is no format "${format}". Use one of: ${Object.keys(formats).join(', ')}.`)
      const imported = await formats[format](resolve(terminal.cwd, path), stack)
      if (imported.lines.length === 0) throw new Failure('not_found', `${path} has no definitions of ${format}.`)
      done(write(terminal, stack, imported))
    })
}

/** Nothing is written if a file would be replaced, except that the project of the imported triggers may exist. */
function write(terminal: Terminal, stack: Stack, { entities, files, lines }: Imported): Outcome {
  const { entities: present } = readEntities(stack, terminal.env, { isLenient: true })
  const known = new Set(present.map(({ kind, name }) => `${kind} ${name}`))
  const added = entities.filter((entity) => !(entity.kind === 'project' && known.has(entityId(entity))))
  const taken = added.filter((entity) => known.has(entityId(entity)))
  if (taken.length > 0)
    throw new Failure(
      'already_exists',
      'The stack has these definitions already. Nothing was written.',
      taken.map(asProblem),
    )
  for (const { path, text } of files) writeInside(stack.root, path, text)
  const written = added.map((entity) => {
    const file = newFile(stack, entity)
    writeInside(stack.root, file, yamlText(entity.payload))
    return file
  })
  const report = lines.map(({ definition, outcome }) => ({ definition, outcome: outcomeText(outcome) }))
  const text = report.map(({ definition, outcome }) => `${definition}: ${outcome}`)
  return { json: { report, files: [...files.map(({ path }) => path), ...written] }, text: text.join('\n') }
}

function asProblem(entity: Entity) {
  return { message: entityId(entity) }
}
