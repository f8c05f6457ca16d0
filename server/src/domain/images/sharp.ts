type SharpModule = typeof import('sharp')['default']

let loading: Promise<SharpModule> | undefined

/** The decoder takes tens of megabytes, and most servers never see an upload: it is loaded for the first one. */
export function loadSharp(): Promise<SharpModule> {
  loading ??= load()
  return loading
}

async function load(): Promise<SharpModule> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  sharp.concurrency(1)
  // libvips reads dozens of formats; the three that are accepted are the only ones it may try on a stranger's bytes.
  sharp.block({ operation: ['VipsForeignLoad'] })
  sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] })
  return sharp
}
