/** Exports and imports all data of a database as files, because the embedded server has no pg_dump. */
export { type BackupOptions, restoreBackup, writeBackup } from './backup.ts'
export { exportArchive } from './export-archive.ts'
export { importArchive } from './import-archive.ts'
export { howToImportUnverified, type SignManifest } from './manifest.ts'
