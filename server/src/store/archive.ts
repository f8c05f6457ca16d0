/** All data of a database as files: the embedded server comes without pg_dump. */
export { exportArchive } from './archive/export-archive.ts'
export { importArchive } from './archive/import-archive.ts'
export { howToImportUnverified, type SignManifest } from './archive/manifest.ts'
