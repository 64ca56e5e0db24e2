import{n as e}from"./tool-error-C55kB4uU.js";function t(e){return e.includes(`\r
`)?`\r
`:`
`}function n(e,t){return t===0?0:e.lastIndexOf(`
`,t-1)+1}function r(e,t){let n=e.indexOf(`
`,t);return n<0?{content:e.length,next:e.length}:{content:n>t&&e[n-1]===`\r`?n-1:n,next:n+1}}function i(e,{key:t,value:n}){return n.end>n.start||n.start>t.end?Math.max(n.end,a(e,t.end)):a(e,t.end)}function a(e,t){let n=/^[ \t]*:/.exec(e.slice(t,t+256));return n===null?t:t+n[0].length}function o(t,r){for(let e=r;e>0;){let r=t.slice(0,e).trimEnd().length,i=n(t,r),a=t.slice(i,r),o=a.slice(0,/(?:^|\s)#/.exec(a)?.index??a.length).trimEnd();if(o.endsWith(`-`))return i+o.length-1;if(o!==``)break;e=i}throw e(`A list item has no dash before it`,{offset:r})}export{n as a,o as i,i as n,t as r,r as t};