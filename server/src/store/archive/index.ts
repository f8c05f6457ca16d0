/** Exports and imports all data of a database as files, because the embedded server has no pg_dump. */
export { exportArchive } from './export-archive.ts'
export { importArchive } from './import-archive.ts'
export { howToImportUnverified, type SignManifest } from './manifest.ts'
