import type { ColumnType, Generated } from 'kysely'

/** Read as a value, written as JSON text: `pg` would turn an array into a PostgreSQL array. */
export type Json<T> = ColumnType<T, string, string>
/** A value that the secret box encrypted. The type keeps it out of views. */
export type Sealed = Buffer

export type Stamps = { created_at: Date; updated_at: Date }
export type Entity = Stamps & { version: Generated<number> }
export type Tagging = { tags: Json<string[]>; labels: Json<Record<string, string>> }

/** Read as a value or null, written as JSON text or null. */
export type JsonOrNull<T> = ColumnType<T | null, string | null, string | null>
