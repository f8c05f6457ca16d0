const reasons: Record<string, string> = {
  EROFS: 'it is on a read-only file system',
  EACCES: 'the user that runs the service may not write there',
  EPERM: 'the user that runs the service may not write there',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENOTDIR: 'a part of its path is a file',
  EEXIST: 'there is a file of this name',
}

/** Runs work that writes into the data folder. When the folder causes a failure, the error says why and what to do. */
export function writingDataFolder<T>(dataDir: string, work: () => T): T {
  try {
    return work()
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? reasons[String(cause.code)] : undefined
    if (reason === undefined) throw cause
    throw new Error(
      `The data folder ${dataDir} cannot be written: ${reason}. Repair that, or set DATA_DIR to another folder.`,
      { cause },
    )
  }
}
