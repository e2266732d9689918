// The style sheet of the HTML report; the plots bring their own (svg::style_sheet).
#pragma once

namespace chainmail {

inline constexpr const char* kPageStyle = R"(
:root{color-scheme:light dark;--ground:#f3f5f7;--card:#fff;--ink:#1d2733;--muted:#5b6875;--line:#d9dfe5;--good:#14693f;--good-ground:#e2f3e9;--bad:#9c2a10;--bad-ground:#fbe9e3;--plain:#1c4f8f;--plain-ground:#e5eefa;--warn:#7a4d00;--warn-ground:#fdf0d5}
@media screen and (prefers-color-scheme:dark){:root{--ground:#0d141b;--card:#151e27;--ink:#e6ebf0;--muted:#9aa7b4;--line:#2b3743;--good:#7fdca8;--good-ground:#12301f;--bad:#ffab8a;--bad-ground:#3a1c12;--plain:#9cc6ff;--plain-ground:#142842;--warn:#ffcf70;--warn-ground:#3a2a08}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
main{max-width:1120px;margin:0 auto;padding:28px 20px 48px}
h1{font-size:1.7rem;line-height:1.2;margin:0 0 .4rem;overflow-wrap:anywhere}
section>.cards{margin-top:.3rem}
h2{font-size:1.15rem;margin:2.2rem 0 .3rem}
h3{font-size:1rem;margin:1.4rem 0 .3rem}
p{margin:.2rem 0 .8rem;max-width:62rem}
.muted,figcaption,.label,th{color:var(--muted)}
.badge{display:inline-block;padding:.15rem .7rem;border-radius:1.2rem;border:1px solid currentColor;font-weight:600;font-size:.92rem;overflow-wrap:anywhere}
.good{color:var(--good);background:var(--good-ground)}.bad{color:var(--bad);background:var(--bad-ground)}.plain{color:var(--plain);background:var(--plain-ground)}.warn{color:var(--warn);background:var(--warn-ground)}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(156px,1fr));gap:12px;margin:1.2rem 0 0;padding:0}
.cards div,figure,.box{background:var(--card);border:1px solid var(--line);border-radius:10px}
.cards div{padding:.7rem .9rem;min-width:0}
.label{display:block;font-size:.82rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.cards b{display:block;font-size:1.22rem;font-weight:600;font-variant-numeric:tabular-nums;overflow-wrap:anywhere}
.cards small{display:block;font-size:.8rem;font-weight:400;color:var(--muted)}
.figures{margin-bottom:14px;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,400px),1fr));gap:14px;align-items:start}
figure{margin:0;padding:12px;min-width:0}section{min-width:0}section figure+figure{margin-top:14px}
.wide{grid-column:1/-1}
.scroll{overflow-x:auto}
.scroll svg{width:100%;max-width:min(100%,600px);height:auto}.wide .scroll svg{max-width:100%}
figcaption{font-size:.86rem;margin-top:.4rem}
.box{padding:12px 16px;overflow-x:auto}.box+.box{margin-top:14px}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
th{text-align:left;font-weight:400;padding:.28rem 1.2rem .28rem 0;white-space:nowrap;vertical-align:top}
td{padding:.28rem 0;overflow-wrap:anywhere}
tr+tr>*{border-top:1px solid var(--line)}
code,pre{font-family:ui-monospace,"SFMono-Regular",Menlo,Consolas,"DejaVu Sans Mono",monospace;font-size:.88rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:0;max-height:9rem;overflow:auto}
.spins{line-height:1.7}
.spins span{display:inline-block;white-space:pre;margin-right:1.4em}
.spins i{font-style:normal;color:var(--muted)}
.names{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:0 1.6rem;margin:0;padding:0;list-style:none}
.names li{display:flex;justify-content:space-between;gap:1rem;border-bottom:1px solid var(--line);padding:.12rem 0;overflow-wrap:anywhere}
.name{display:inline-block;max-width:16rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;vertical-align:bottom;min-width:0}
.list th,.list td{padding-right:1.2rem;text-align:left}
.list td{overflow-wrap:break-word}.list .way{white-space:nowrap}.list .way~td:last-child{min-width:11rem}.list td:last-child{width:40%}
.violated>*{color:var(--bad);background:var(--bad-ground)}
.names b{font-weight:600;white-space:nowrap}
button{font:inherit;font-weight:600;font-size:.92rem;padding:.15rem .9rem;margin-left:.5rem;border-radius:1.2rem;border:1px solid var(--bad);color:var(--bad);background:var(--card);cursor:pointer}button:disabled{opacity:.5}
summary{cursor:pointer;padding:.2rem 0}
.machine{margin-top:2.2rem}.machine>summary{font-size:1.15rem;font-weight:600}
.answer{grid-template-columns:repeat(auto-fill,minmax(200px,1fr))}.answer b{font-size:1.4rem}
.sheet{width:auto}.sheet th,.sheet td{padding:.2rem .6rem;text-align:center;border:1px solid var(--line);white-space:nowrap}
.sheet tr>th:first-child{text-align:left;position:sticky;left:0;background:var(--card)}
.tight{font-size:.84rem}.tight th,.tight td{padding:.15rem .2rem}.box+.figures{margin-top:14px}
.sheet td{color:var(--muted)}.sheet .set{background:var(--plain-ground);color:var(--plain);font-weight:600}.sheet .none{background:var(--ground)}
footer{margin-top:2.4rem;font-size:.86rem;color:var(--muted)}
@media (max-width:520px){figure.wide{overflow-x:auto}figure.wide svg{min-width:600px}main{padding:18px 14px 36px}.cards{grid-template-columns:1fr 1fr;gap:8px}.cards div{padding:.55rem .7rem}.cards b{font-size:1.08rem}figure{padding:8px}.box{padding:10px 12px}th{white-space:normal}.list .name{max-width:8.5rem}.list th,.list td{padding-right:.7rem}}
@media print{body{background:#fff;font-size:11pt}main{max-width:none;padding:0}figure,.cards div,tr{break-inside:avoid}h2{break-after:avoid}.scroll{overflow:visible}.scroll svg{min-width:0!important}.figures{grid-template-columns:1fr 1fr}}
)";

}  // namespace chainmail
