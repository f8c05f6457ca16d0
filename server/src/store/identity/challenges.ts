import type { Base } from '../core/base.ts'
import { hashToken } from '../core/secret-box.ts'

export type ChallengeKind = 'passkey setup' | 'passkey sign-in' | 'passkey second factor' | 'wallet' | 'oidc' | 'e-mail'

/** Random values that the service made for one sign-in or setup. Each is used once, by whichever process gets it back. */
export function challengesTable({ db, box }: Base) {
  return {
    async add(kind: ChallengeKind, secret: string, data: object, expiresAt: Date): Promise<void> {
      await db
        .insertInto('challenges')
        .values({ hash: hashToken(secret), kind, data: box.sealJson(data), expires_at: expiresAt })
        .execute()
    },
    async has(kind: ChallengeKind, secret: string, at: Date): Promise<boolean> {
      const row = await db
        .selectFrom('challenges')
        .select('hash')
        .where('hash', '=', hashToken(secret))
        .where('kind', '=', kind)
        .where('expires_at', '>', at)
        .executeTakeFirst()
      return row !== undefined
    },
    /** The data of a valid challenge, which is used up. */
    async take<T>(kind: ChallengeKind, secret: string, at: Date): Promise<T | undefined> {
      const row = await db
        .deleteFrom('challenges')
        .where('hash', '=', hashToken(secret))
        .where('kind', '=', kind)
        .returning(['data', 'expires_at'])
        .executeTakeFirst()
      return row && row.expires_at > at ? box.openJson<T>(row.data) : undefined
    },
    async sweep(before: Date): Promise<void> {
      await db.deleteFrom('challenges').where('expires_at', '<', before).execute()
    },
  }
}
