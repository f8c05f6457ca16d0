/** All data of a database as files: the embedded server comes without pg_dump. */
export { exportArchive } from './export-archive.ts'
export { importArchive } from './import-archive.ts'
export { howToImportUnverified, type SignManifest } from './manifest.ts'
