import { escapeHtml } from './html.ts'
import type { SafeMessage } from './safe-text.ts'

const font = 'font-family:system-ui,-apple-system,Segoe UI,Roboto,sans-serif'

/** Makes an HTML page with inline styles. `dir="auto"` gives each text the direction of its language. */
export function emailHtml({ title, body, links, cover }: SafeMessage, about: string, pauseUrl?: string): string {
  const parts = [
    `<h1 dir="auto" style="font-size:20px;margin:0 0 16px">${escapeHtml(title)}</h1>`,
    cover === undefined ? '' : `<p><img src="${escapeHtml(cover)}" alt="" style="max-width:100%;border:0"></p>`,
    body === '' ? '' : `<p dir="auto" style="white-space:pre-wrap;margin:0 0 16px">${escapeHtml(body)}</p>`,
    ...links.map(linkParagraph),
    `<hr style="border:0;border-top:1px solid #ddd;margin:24px 0 8px">`,
    `<p style="color:#777;font-size:12px">${escapeHtml(about)}${pauseUrl === undefined ? '' : pauseLink(pauseUrl)}</p>`,
  ]
  const page = `<div style="${font};font-size:15px;line-height:1.5;max-width:600px">${parts.filter(Boolean).join('\n')}</div>`
  return `<!doctype html>\n<html><head><meta charset="utf-8"><title>${escapeHtml(title)}</title></head><body>${page}</body></html>`
}

function linkParagraph({ title, url }: { title: string; url: string }): string {
  return `<p dir="auto" style="margin:0 0 8px"><a href="${escapeHtml(url)}">${escapeHtml(title)}</a></p>`
}

function pauseLink(pauseUrl: string): string {
  return ` · <a href="${escapeHtml(pauseUrl)}" style="color:#777">Pause this subscription</a>`
}
