import type { ListToMove } from '../../store/projects/list-moves.ts'
import type { Place } from './conflicts.ts'

type ListMove = { from: string; to: string }

/**
 * The names of address lists in the target workspace. An equal list there is used; a different list with the same name is
 * left alone, and the copy gets a number.
 */
export function planListMoves(named: readonly ListToMove[], target: Place, there: readonly ListToMove[]): ListMove[] {
  const taken = new Map(there.map((list) => [list.fullname, list]))
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
