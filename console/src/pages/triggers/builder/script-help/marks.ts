import type { Issue } from '@tocsin/contract'
import type { Mark } from '../../../../editor/code-editor.tsx'

/** Issues of scripts contain their position: "line 2, column 5: …", "… at line 2, column 5", "… (line 2)". */
const position = /\(?(?:at )?line (\d+)(?:, column (\d+))?\)?:?\s*/

export function marksOf(issues: Issue[], path: RegExp): Mark[] {
  return issues.filter((issue) => path.test(issue.path)).map(markOf)
}

function markOf({ message }: Issue): Mark {
  const [, line, column] = position.exec(message) ?? []
  return {
    line: Number(line ?? 1),
    ...(column !== undefined && { column: Number(column) }),
    message: message.replace(position, '').trim(),
  }
}
