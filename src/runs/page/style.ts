/** The looks of what stands in the parts of the page. */
export const PARTS_STYLE = `.facts{margin:0;display:grid;gap:.35rem}.facts>div{display:grid;
grid-template-columns:6.5rem minmax(0,1fr);gap:.8rem}
.facts dt{color:var(--soft)}.facts dd{margin:0}
.plus{color:var(--good)}.minus{color:var(--error)}
.pill,.badge,.sev,.mark{display:inline-block;padding:0 .5em;border-radius:999px;font-size:.8rem;
line-height:1.5;font-weight:600;background:var(--mute-bg);color:var(--ink);white-space:nowrap}
.pill.good,.badge.good{background:var(--good-bg);color:var(--good)}
.pill.bad,.badge.error,.sev.error,.mark.error{background:var(--error-bg);color:var(--error)}
.badge.warning,.sev.warning,.mark.warning{background:var(--warning-bg);color:var(--warning)}
.badge.info,.sev.info,.mark.info{background:var(--info-bg);color:var(--info)}
.mark{text-decoration:none;margin-left:.6rem}.mark.rejected{text-decoration:line-through;
color:var(--soft)}
.callout{background:var(--warning-bg);color:var(--warning);padding:.5rem .8rem;border-radius:6px}
.notices{padding-left:1.2rem}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.1rem;margin:.4rem 0 .9rem;font-size:.9rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.block{display:inline-flex;align-items:center;justify-content:center;height:1.35rem;
min-width:1.35rem;border-radius:4px;font-size:.7rem;font-weight:700;border:1px solid transparent}
.w2{min-width:1.8rem}.w3{min-width:2.3rem}.w4{min-width:3rem}.w5{min-width:4rem}.w6{
min-width:5.2rem}.w7{min-width:6.6rem}.w8{min-width:8rem}
.s-reviewed{background:var(--good-bg);color:var(--good);border-color:var(--good)}.s-cached{
background:var(--teal-bg);color:var(--teal);border-color:var(--teal)}
.s-checked{background:var(--info-bg);color:var(--info);border-color:var(--info)}.s-skipped{
background:var(--mute-bg);color:var(--soft);border-color:var(--line)}
.s-outOfTime{background:var(--warning-bg);color:var(--warning);border-color:var(--warning);
border-style:dashed}.s-refused{background:var(--violet-bg);color:var(--violet);
border-color:var(--violet);border-style:dashed}
.s-failed{background:var(--error-bg);color:var(--error);border-color:var(--error);
border-style:dashed}
.file{display:grid;grid-template-columns:minmax(10rem,22rem) 9.5rem minmax(0,1fr);
gap:.2rem .9rem;padding:.4rem 0;border-top:1px solid var(--line);align-items:start;
content-visibility:auto;contain-intrinsic-size:auto 2.2rem}
.file .size{font-variant-numeric:tabular-nums}.blocks{display:flex;flex-wrap:wrap;gap:.25rem}
.scroll{overflow:auto;max-height:34rem;border:1px solid var(--line);border-radius:6px}
table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{padding:.3rem .7rem;
text-align:left;vertical-align:top;border-top:1px solid var(--line);font-weight:400}
thead th{border-top:0;font-weight:600;color:var(--soft);position:sticky;top:0;
background:var(--panel)}.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.more{margin:.7rem 0 0}.more>summary{cursor:pointer;color:var(--link);width:fit-content}
.more[open]>summary{margin-bottom:.5rem}
.group{margin:1.2rem 0 0;padding-top:.2rem;border-top:1px solid var(--line);
content-visibility:auto;contain-intrinsic-size:auto 24rem}.group h3{margin-top:.8rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,19rem),1fr));
gap:.4rem 1rem}.column{min-width:0}
.diff{font-size:.86rem;line-height:1.45}.diff caption{text-align:left;padding:.35rem .7rem;
background:var(--inset);border-bottom:1px solid var(--line)}
.diff td{padding:0 .5rem;border:0}.diff .no{white-space:nowrap;color:var(--soft);
text-align:right;user-select:none;width:1%;font-variant-numeric:tabular-nums}.diff .sign{
width:1%;user-select:none;color:var(--soft)}
.diff .code{white-space:pre-wrap;unicode-bidi:plaintext;
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace}.diff .mark{
font-family:system-ui,sans-serif}.diff tr.added{background:var(--plus-bg)}.diff tr.removed{
background:var(--minus-bg)}
.diff tr.hit td:first-child{box-shadow:inset 4px 0 var(--soft)}.diff tr.hit.error td:first-child{
box-shadow:inset 4px 0 var(--error)}.diff tr.hit.warning td:first-child{
box-shadow:inset 4px 0 var(--warning)}.diff tr.hit.info td:first-child{
box-shadow:inset 4px 0 var(--info)}
.card{border:1px solid var(--line);border-left:4px solid var(--soft);border-radius:6px;
padding:.6rem .85rem;margin:.5rem 0;background:var(--panel)}
.card.error{border-left-color:var(--error)}.card.warning{border-left-color:var(--warning)}
.card.info{border-left-color:var(--info)}.card.kept{border-left-color:var(--good)}.card.rejected{
background:var(--inset);border-left-style:dashed}
.card h3{margin-top:0}.card p{margin:.35rem 0}.card .message{font-size:1.02rem}.card .why{
color:var(--soft)}.card .why strong{color:var(--ink)}
.card header{display:flex;flex-wrap:wrap;gap:.1rem .6rem;align-items:baseline}.place{
color:var(--soft)}.anchor{color:var(--soft);text-decoration:none;padding:0 .3em}.anchor:hover{
color:var(--link)}
:target{outline:2px solid var(--focus);outline-offset:3px;border-radius:6px}main>section:target{
outline:none;border-color:var(--focus)}
.before>pre{background:var(--minus-bg)}.after>pre,pre.after{background:var(--plus-bg)}
.talk{margin:1.4rem 0 0;padding-top:.2rem;border-top:1px solid var(--line)}.talk h3{
margin:.8rem 0 .1rem}
.turn{border:1px solid var(--line);border-radius:6px;margin:.35rem 0;content-visibility:auto;
contain-intrinsic-size:auto 2.6rem;background:var(--panel)}
.turn>summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.15rem .6rem;
padding:.45rem .75rem;cursor:pointer;list-style:none}.turn>summary::-webkit-details-marker{
display:none}
.turn>summary::before{content:"▸";color:var(--soft)}.turn[open]>summary::before{content:"▾"}
.turn[open]>summary{border-bottom:1px solid var(--line);background:var(--inset)}
.turn .number{color:var(--soft);min-width:2.6em}.gist{flex:1 1 16rem;min-width:0;
white-space:nowrap;overflow:hidden;text-overflow:ellipsis}.turn>summary .cost{font-size:.86rem;
font-variant-numeric:tabular-nums}
.turn .body{padding:.2rem .9rem .8rem}.links{font-size:.86rem;margin:.8rem 0 0}
.message{margin:.5rem 0}.system h5,.user h5,.assistant h5,.toolResult h5{display:inline-block;
padding:0 .5em;border-radius:4px;background:var(--mute-bg)}
.user h5{background:var(--info-bg);color:var(--info)}.assistant h5{background:var(--violet-bg);
color:var(--violet)}.toolResult h5{background:var(--teal-bg);color:var(--teal)}
.again{margin:.1rem 0;color:var(--soft);font-size:.9rem}.again q{quotes:none}
.step{border-left:3px solid var(--line);padding-left:.8rem;margin:.6rem 0}
.step.failed,.step.trouble{border-left-color:var(--error)}.step.done{
border-left-color:var(--good)}.repairs{color:var(--warning)}
.chart{padding:.4rem}.chart svg{display:block}.chart text{fill:var(--soft);font-size:11px}
.chart a:hover rect{opacity:.7}.prompt{fill:var(--info)}.reply{fill:var(--violet)}.room{
fill:var(--mute-bg)}.compacted{fill:var(--warning)}.first{fill:var(--soft)}.limit{
stroke:var(--error);stroke-dasharray:5 4}
.key{width:.9rem;height:.9rem;border-radius:3px}.key.prompt{background:var(--info)}.key.reply{
background:var(--violet)}.key.compacted{background:var(--warning)}.key.room{
background:var(--mute-bg);border:1px solid var(--line)}
.timeline li{display:grid;grid-template-columns:minmax(8rem,15rem) minmax(0,1fr) 5.5rem;
gap:.8rem;align-items:center;padding:.25rem 0}
.timeline svg{width:100%;height:1.1rem;background:var(--inset);border-radius:4px}rect.stage{
fill:var(--good)}rect.request{fill:var(--info)}rect.trouble{fill:var(--error)}
.scroll table:not(.diff){min-width:34rem}.key.first{height:3px;border-radius:0;
background:var(--soft)}
@media (max-width:40rem){.file{grid-template-columns:minmax(0,1fr) auto}.blocks{grid-column:1/-1}
.facts>div{grid-template-columns:minmax(0,1fr);gap:0}.facts dt{font-size:.82rem}.timeline li{
grid-template-columns:minmax(0,1fr) 5rem}.timeline svg{grid-column:1/-1;grid-row:2}}
@media (prefers-reduced-motion:no-preference){html{scroll-behavior:auto}}
`;

/** Colours by meaning, for both kinds of light; everything else refers to these. */
const COLOURS = `:root{color-scheme:light dark;
--page:#f7f6f2;--panel:#fff;--inset:#f2f1ec;--ink:#1c1d1f;--soft:#5d6066;--line:#dfdcd3;
--link:#0b5cad;--focus:#0b5cad;
--good:#1d6b3f;--good-bg:#e2f1e7;--error:#a8201a;--error-bg:#fbe9e7;--warning:#805300;
--warning-bg:#fbf0d9;--info:#1f5fa8;--info-bg:#e6effa;--mute-bg:#ebe9e3;
--plus-bg:#e4f4e8;--minus-bg:#fbe7e5;--violet:#6a3fa0;--violet-bg:#efe7f9;--teal:#0d6a6a;
--teal-bg:#dff1f1}
@media (prefers-color-scheme:dark){:root{
--page:#131416;--panel:#1b1d20;--inset:#141618;--ink:#e7e5e0;--soft:#a0a4ab;--line:#32363c;
--link:#8ab8f2;--focus:#8ab8f2;
--good:#83d1a2;--good-bg:#17301f;--error:#ff9b92;--error-bg:#3b1a18;--warning:#eabf66;
--warning-bg:#362a10;--info:#93bdf3;--info-bg:#182a42;--mute-bg:#2a2d31;
--plus-bg:#15291b;--minus-bg:#321b1a;--violet:#c7a6f2;--violet-bg:#2b2140;--teal:#7fd0d0;
--teal-bg:#123030}}
`;

const BASE = `*{box-sizing:border-box}
html{scroll-padding-top:5.5rem}
body{margin:0;background:var(--page);color:var(--ink);
font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
code,pre,kbd,.path,.number{
font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"Liberation Mono",monospace;font-size:.9em}
a{color:var(--link)}
:focus-visible{outline:2px solid var(--focus);outline-offset:2px;border-radius:3px}
[hidden]{display:none!important}
.sr{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);
white-space:nowrap}
.skip{position:absolute;left:-99rem}.skip:focus{left:.5rem;top:.5rem;z-index:9;
background:var(--panel);padding:.5rem 1rem}
.muted,.meta,.cost{color:var(--soft)}.meta{margin:.2rem 0 .6rem}
h1{font-size:1.7rem;line-height:1.2;margin:.1rem 0 .4rem;letter-spacing:-.01em}
h2{font-size:1.2rem;margin:0 0 .6rem}h3{font-size:1rem;margin:1.2rem 0 .5rem}
h4{font-size:.78rem;margin:1rem 0 .4rem;text-transform:uppercase;letter-spacing:.05em;
color:var(--soft)}
h5{font-size:.82rem;margin:.1rem 0 .3rem;font-weight:600;color:var(--soft)}
pre{margin:0;padding:.6rem .75rem;background:var(--inset);border:1px solid var(--line);
border-radius:6px;white-space:pre-wrap;line-height:1.45;unicode-bidi:plaintext}
pre.long{max-height:24rem;overflow:auto}pre.prose{font-family:inherit;font-size:1rem}
ul.plain,ol.blocks,ol.files,ol.timeline,.legend,nav ol{list-style:none;margin:0;padding:0}
ul.plain li{margin:.3rem 0}
.top{padding:1.4rem clamp(1rem,4vw,2.5rem) 1.2rem;background:var(--panel);
border-bottom:1px solid var(--line);border-top:5px solid var(--good)}
.top.error{border-top-color:var(--error)}.top.warning{border-top-color:var(--warning)}.top.info{
border-top-color:var(--info)}
.brand{margin:0;font-weight:600;color:var(--soft)}.brand span{font-weight:400}.state{margin:0;
color:var(--soft)}
.layout{display:grid;grid-template-columns:13rem minmax(0,1fr);gap:1.5rem;max-width:84rem;
margin:0 auto;padding:1.2rem clamp(1rem,3vw,2rem) 4rem}
nav{position:sticky;top:1rem;align-self:start;max-height:calc(100vh - 2rem);overflow:auto}
nav li a{display:flex;justify-content:space-between;padding:.35rem .6rem;border-radius:6px;
color:var(--ink);text-decoration:none}
nav li a:hover{background:var(--mute-bg)}.amount{color:var(--soft);
font-variant-numeric:tabular-nums}
.keys{margin:1rem .6rem;color:var(--soft);font-size:.88rem}.keys dl div{display:flex;gap:.6rem}
.keys dd{margin:0}
kbd{border:1px solid var(--line);border-bottom-width:2px;border-radius:4px;padding:0 .35em;
background:var(--panel)}
main{min-width:0}main:focus{outline:none}
main>section{background:var(--panel);border:1px solid var(--line);border-radius:10px;
padding:1.1rem clamp(.8rem,2vw,1.4rem);margin:0 0 1.1rem}
.filter{position:sticky;top:0;z-index:3;display:flex;flex-wrap:wrap;gap:.5rem .8rem;
align-items:center;background:var(--page);padding:.5rem 0 .7rem;margin-top:-.5rem}
.filter label{font-weight:600}.filter input{flex:1 1 12rem;min-width:9rem;font:inherit;
padding:.4rem .7rem;border:1px solid var(--line);border-radius:6px;background:var(--panel);
color:inherit}
.kinds,.acts{display:flex;flex-wrap:wrap;gap:.3rem}
button{white-space:nowrap;font:inherit;font-size:.86rem;padding:.3rem .65rem;
border:1px solid var(--line);border-radius:999px;background:var(--panel);color:inherit;
cursor:pointer}
button:hover:enabled{border-color:var(--soft)}button:disabled{opacity:.45;cursor:default}
button[aria-pressed=true]{background:var(--ink);color:var(--page);border-color:var(--ink)}
.filter output{color:var(--soft);font-size:.86rem}
@media (max-width:62rem){html{scroll-padding-top:8rem}.layout{
grid-template-columns:minmax(0,1fr);gap:.6rem;padding-top:.6rem}
nav{position:static;overflow-x:auto}nav ol{display:flex;gap:.2rem}nav li a{white-space:nowrap;
gap:.4rem}.keys{display:none}}
@media (max-width:40rem){html{scroll-padding-top:.5rem}.acts{display:none}.filter{
position:static}.kinds{flex-wrap:nowrap;overflow-x:auto}.filter label{display:none}}
@media print{nav,.filter{display:none}.layout{display:block}}
`;

/** All of it; its hash stands in the page's policy, so no other style counts. */
export const STYLE = COLOURS + BASE + PARTS_STYLE;
