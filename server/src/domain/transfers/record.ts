import type { Store } from '../../store/index.ts'
import type { TransferRow } from '../../store/projects/transfers.ts'
import { type Actor, recordChange } from '../audit.ts'

type TransferAction = 'transfer.request' | 'transfer.accept' | 'transfer.reject' | 'transfer.cancel'

/** A transfer concerns two workspaces, so both logs have it, unless one was deleted. */
export async function recordTransfer(store: Store, actor: Actor, action: TransferAction, row: TransferRow) {
  const { source_workspace_id: source, target_workspace_id: target, project: fullname } = row
  for (const workspaceId of [source, target])
    if (workspaceId !== null) await recordChange(store, actor, { action, workspaceId, fullname })
}
