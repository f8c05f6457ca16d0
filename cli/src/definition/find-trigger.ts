import { TriggerSave } from '@tocsin/contract'
import { Failure } from '../failure.ts'
import { type Folder, readEntities } from '../folder/read-folder.ts'
import { existsStack, readStack } from '../folder/stack-file.ts'
import type { Session } from '../server/session.ts'
import type { Terminal } from '../terminal/terminal.ts'

export type FoundTrigger = { definition: TriggerSave; isOfFolder: boolean }

/** The stack of the folder, if there is one. Commands that ask about one trigger work without it too. */
export function findStack(terminal: Terminal, folder: string | undefined): Folder['stack'] | undefined {
  return folder !== undefined || existsStack(terminal.cwd) ? readStack(terminal.cwd, folder) : undefined
}

/** The definition in the folder, or that of the server if no file defines it. */
export async function findTrigger(
  terminal: Terminal,
  session: Session,
  stack: Folder['stack'] | undefined,
  fullname: string,
): Promise<FoundTrigger> {
  const local = stack && findInFolder(terminal, stack, fullname)
  if (local) return { definition: local, isOfFolder: true }
  const view = await session.call((client) => client.getTrigger({ fullname }))
  const { status: _, ...payload } = view
  return { definition: TriggerSave.parse(payload), isOfFolder: false }
}

/** Only the file of the trigger must be right: another may name a variable that is not set. */
function findInFolder({ env }: Terminal, stack: Folder['stack'], fullname: string): TriggerSave | undefined {
  const { entities, problems } = readEntities(stack, env)
  const entity = entities.find(({ kind, name }) => kind === 'trigger' && name === fullname)
  if (!entity) return undefined
  const own = problems.filter(({ file }) => file === entity.parsed.file)
  if (own.length > 0) throw new Failure('invalid_folder', `${entity.parsed.file} is not valid.`, own)
  return TriggerSave.parse(entity.payload)
}
