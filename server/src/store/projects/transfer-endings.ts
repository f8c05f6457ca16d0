import { sql } from 'kysely'
import type { Base } from '../core/base.ts'

/** Ends pending transfers without a decision: the project, the workspace or the owner is gone, or the time is over. */
export function transferEndingsTable({ db }: Base) {
  return {
    /**
     * Cancels the request of a deleted project. It also clears the project id, so that the deletion does not write the row
     * again: PostgreSQL would then check both workspaces and wait for a transaction that accepts a transfer.
     */
    async cancelPendingOf(projectId: string, reason: string, at: Date): Promise<void> {
      await db
        .updateTable('transfers')
        .set({ status: 'cancelled', project_id: null, reason, decided_at: at, updated_at: at })
        .where('project_id', '=', projectId)
        .where('status', '=', 'pending')
        .execute()
    },
    /** Cancels the account's requests from the workspace, because it is no longer an owner there. */
    async cancelOfferedBy(accountId: string, workspaceId: string, reason: string, at: Date): Promise<void> {
      await db
        .updateTable('transfers')
        .set({ status: 'cancelled', reason, decided_at: at, updated_at: at })
        .where('requested_by', '=', accountId)
        .where('source_workspace_id', '=', workspaceId)
        .where('status', '=', 'pending')
        .execute()
    },
    /** Fails the requests to a deleted workspace. It clears the workspace id for the same reason. */
    async failPendingInto(workspaceId: string, reason: string, at: Date): Promise<void> {
      await db
        .updateTable('transfers')
        .set({ status: 'failed', target_workspace_id: null, failure_reason: reason, decided_at: at, updated_at: at })
        .where('target_workspace_id', '=', workspaceId)
        .where('status', '=', 'pending')
        .execute()
    },
    /** Expires overdue requests. Reads and decisions call this first; the sweeper calls it regularly. */
    async sweepExpired(at: Date): Promise<void> {
      await db
        .updateTable('transfers')
        .set({ status: 'expired', updated_at: at })
        // A literal, because a partial index holds the pending requests.
        .where('status', '=', sql.lit('pending'))
        .where('expires_at', '<=', at)
        .execute()
    },
  }
}
