import type { Store } from '../../store/index.ts'
import type { ListToMove } from '../../store/projects/list-moves.ts'
import type { Place } from './conflicts.ts'

export type ListMove = { from: string; to: string }

/**
 * The address lists that the project's conditions name, and their names in the target workspace. An equal list there is
 * used; a different list with the same name is left alone, and the copy gets a number.
 */
export async function findListMoves(store: Store, projectId: string, target: Place): Promise<ListMove[]> {
  const named = await store.listMoves.listNamed(projectId)
  if (named.length === 0) return []
  const taken = new Map((await store.listMoves.listOf(target.workspace)).map((list) => [list.fullname, list]))
  return named.map((list) => {
    const to = freeName(list, target.workspace, taken)
    taken.set(to, list)
    return { from: list.fullname, to }
  })
}

function freeName(list: ListToMove, workspace: string, taken: ReadonlyMap<string, ListToMove>): string {
  for (let number = 1; ; number++) {
    const name = `${workspace}.${list.name}${number === 1 ? '' : `-${number}`}`
    const found = taken.get(name)
    if (!found || found.content === list.content) return name
  }
}
