import type { ColumnType, Generated } from 'kysely'

/** Read as a value, written as JSON text: `pg` would turn an array into a PostgreSQL array. */
export type Json<T> = ColumnType<T, string, string>
/** Sealed by the secret box; the type keeps it from being mistaken for something to show. */
export type Sealed = Buffer

export type Stamps = { created_at: Date; updated_at: Date }
export type Entity = Stamps & { version: Generated<number> }
export type Tagging = { tags: Json<string[]>; labels: Json<Record<string, string>> }

/** Read as a value or null, written as JSON text or null. */
export type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>
