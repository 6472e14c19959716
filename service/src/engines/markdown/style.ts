// How a printed Markdown text looks: the fonts of the system, black on white, nothing torn apart that need not be.

/** Nobody opens anything on paper: what details hold is shown. */
export const PAGE_STYLE = `
html { font: 11pt/1.5 "Liberation Sans", "Noto Sans", Arial, Helvetica, sans-serif; color: #1a1a1a; }
body { margin: 0; overflow-wrap: anywhere; }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 .5em; break-after: avoid; break-inside: avoid; }
h1 { font-size: 2em; } h2 { font-size: 1.5em; } h3 { font-size: 1.25em; } h4 { font-size: 1.05em; }
h5 { font-size: 1em; } h6 { font-size: 1em; color: #555; }
h1, h2 { border-bottom: .6pt solid #d5d5d5; padding-bottom: .2em; }
body > :first-child { margin-top: 0; }
p, ul, ol, dl, blockquote, pre, table, figure { margin: 0 0 .8em; }
p { orphans: 3; widows: 3; }
ul, ol { padding-left: 1.8em; } li + li { margin-top: .15em; } li > p { margin-bottom: .4em; }
li.task { list-style: none; } li.task input { margin: 0 .35em 0 -1.45em; vertical-align: -.1em; }
a { color: #0b57d0; text-decoration: none; }
img { max-width: 100%; height: auto; break-inside: avoid; }
blockquote { border-left: 3pt solid #d5d5d5; color: #555; padding: 0 0 0 1em; }
code, kbd, samp, pre, tt { font-family: "Liberation Mono", "DejaVu Sans Mono", "Noto Sans Mono", Consolas, monospace; font-size: .88em; }
:not(pre) > code, kbd { background: #f2f2f2; border-radius: 2pt; padding: .1em .3em; }
pre { background: #f6f6f6; border-radius: 3pt; padding: .8em 1em; white-space: pre-wrap; line-height: 1.4; }
pre code { font-size: 1em; }
table { border-collapse: collapse; max-width: calc(100% - 1pt); } thead { display: table-header-group; }
tr { break-inside: avoid; } th, td { border: .6pt solid #c8c8c8; padding: .3em .6em; text-align: left; vertical-align: top; }
th[align=center], td[align=center], th[style*=center], td[style*=center] { text-align: center; }
th[align=right], td[align=right], th[style*=right], td[style*=right] { text-align: right; }
th { background: #f2f2f2; }
summary { list-style: none; font-weight: bold; } details { margin: 0 0 .8em; }
details::details-content { content-visibility: visible; display: block; }
hr { border: 0; border-top: .8pt solid #c8c8c8; margin: 1.4em 0; }
.hljs-comment, .hljs-quote { color: #6a737d; font-style: italic; }
.hljs-keyword, .hljs-selector-tag, .hljs-literal, .hljs-doctag { color: #b3261e; }
.hljs-string, .hljs-regexp, .hljs-addition { color: #0a5f38; }
.hljs-number, .hljs-symbol, .hljs-bullet, .hljs-link, .hljs-variable, .hljs-template-variable { color: #8a4b00; }
.hljs-title, .hljs-section, .hljs-name, .hljs-selector-id, .hljs-selector-class { color: #6639a6; }
.hljs-attr, .hljs-attribute, .hljs-built_in, .hljs-type, .hljs-meta { color: #0b57d0; }
.hljs-deletion { color: #b3261e; text-decoration: line-through; }
.hljs-emphasis { font-style: italic; } .hljs-strong { font-weight: bold; }
`;
