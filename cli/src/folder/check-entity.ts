import { CustomSourceSave, type DefinitionKind, definitionPayloads, issuesOf } from '@tocsin/contract'
import { isRecord, type Path, parsePath } from './paths.ts'
import { findUnknownFields } from './unknown-fields.ts'

type Found = { path: Path; message: string }

/** What the contract says about a payload: its form, and fields that it does not know. The server checks the rest. */
export function checkPayload(kind: DefinitionKind, payload: unknown, workspace: string): Found[] {
  if (!isRecord(payload)) return [{ path: [], message: 'must be an object with the fields of the payload' }]
  const unknown = findUnknownFields(knownFields(kind), payload)
  const checked = definitionPayloads[kind].safeParse(payload)
  return [
    ...unknown.map((path) => ({ path, message: 'is not a known field' })),
    ...(checked.success
      ? []
      : issuesOf(checked.error).map(({ path, message }) => ({ path: parsePath(path), message }))),
    ...wrongWorkspace(payload, workspace),
  ]
}

/** The `mode` of a source says what its PUT does. A plan knows that without it, but a file may have it. */
function knownFields(kind: DefinitionKind) {
  return kind === 'source' ? CustomSourceSave : definitionPayloads[kind]
}

function wrongWorkspace(payload: Record<string, unknown>, workspace: string): Found[] {
  if (payload.workspace === undefined || payload.workspace === workspace) return []
  return [{ path: ['workspace'], message: `must be ${workspace}, the workspace of the stack` }]
}
