#!/usr/bin/env python3
"""Recordings of lists and state stores: honest ones, and each with one fault, which its name says.
Each is written to the current folder; those with a rule in their name, `list.RULE.jsonl`, break it."""
import base64,json
def mp(o):
    def e(o):
        if o is None: return b'\xc0'
        if isinstance(o,bool): return b'\xc3' if o else b'\xc2'
        if isinstance(o,str):
            b=o.encode(); return bytes([0xa0+len(b)])+b
        if isinstance(o,int): return bytes([o])
        if isinstance(o,bytes): return o
        if isinstance(o,dict): return bytes([0x80+len(o)])+b''.join(e(k)+e(v) for k,v in sorted(o.items()))
    return base64.b64encode(e(o)).decode()
UNK=b'\xd4\x00\x00'
def st(d): return {"msgpack":mp(d)}
def idd(d): return {"identity_data":{"msgpack":mp(d)}}
sch={"process":1,"seq":1,"protocol":6,"rpc":"GetProviderSchema","request":{},"response":{"provider":{"block":{}},"resource_schemas":{"x_y":{"block":{"attributes":[{"name":"n","type":"InN0cmluZyI=","required":True},{"name":"id","type":"InN0cmluZyI=","computed":True}]}}},"list_resource_schemas":{"x_y":{"block":{}}}}}
ids={"process":1,"seq":2,"protocol":6,"rpc":"GetResourceIdentitySchemas","request":{},"response":{"identity_schemas":{"x_y":{"identity_attributes":[{"name":"id","type":"InN0cmluZyI=","required_for_import":True}]}}}}
def lst(ev,limit=100,obj=True,cfg=None): return {"process":1,"seq":30,"protocol":6,"rpc":"ListResource","request":{"type_name":"x_y","config":st(cfg),"limit":str(limit),"include_resource_object":obj},"responses":ev}
def ev(i,n="a",**k):
    e={"display_name":n}
    if i is not None: e["identity"]=idd({"id":i})
    if n is not None: e["resource_object"]=st({"id":i,"n":n})
    e.update(k); return e
def w(name,*l): open(name,'w').write(''.join(json.dumps(x)+'\n' for x in l))
ap=lambda i,n: {"process":1,"seq":5,"protocol":6,"rpc":"ApplyResourceChange","request":{"type_name":"x_y","prior_state":st(None),"planned_state":st({"id":UNK,"n":n}),"config":st({"id":None,"n":n})},"response":{"new_state":st({"id":i,"n":n}),"new_identity":idd({"id":i})}}
good=[ev("1","a"),ev("2","b")]
w('good.list.jsonl',sch,ids,lst(good))
w('list.identity-missing.jsonl',sch,ids,lst([ev("1"),{"display_name":"b"}]))
w('good.warned.jsonl',sch,ids,lst([ev("1"),{"display_name":"","diagnostic":[{"severity":"WARNING","summary":"s"}]}]))
w('list.event-decode.jsonl',sch,ids,lst([ev("1",identity={"identity_data":{"msgpack":mp({"other":"1"})}})]))
w('list.event-decode.object.jsonl',sch,ids,lst([ev("1",resource_object=st({"id":"1"}))]))
w('list.identity-unknown.jsonl',sch,ids,lst([ev(UNK,identity=idd({"id":UNK}))]))
w('list.identity-repeated.jsonl',sch,ids,lst([ev("1"),ev("2"),ev("1")]))
w('list.object-missing.jsonl',sch,ids,lst([{"display_name":"a","identity":idd({"id":"1"})}]))
w('good.no-object.jsonl',sch,ids,lst([{"display_name":"a","identity":idd({"id":"1"})}],obj=False))
w('list.beyond-limit.jsonl',sch,ids,lst([ev("1"),ev("2"),ev("3")],limit=2))
w('list.after-error.jsonl',sch,ids,lst([ev("1"),{"display_name":"","diagnostic":[{"severity":"ERROR","summary":"s"}]},ev("2")]))
w('list.object-differs.jsonl',sch,ids,ap("1","a"),lst([ev("1","b")]))
w('list.created-missing.jsonl',sch,ids,ap("1","a"),lst([ev("2","b")]))
w('good.filter.jsonl',sch,ids,ap("1","a"),lst([ev("2","b")],cfg={"x":"1"}))
w('good.created.jsonl',sch,ids,ap("1","a"),lst([ev("1","a")]))
w('list.identity-repeated.untyped.jsonl',sch,lst([ev("1"),ev("1")]))
B=lambda b: base64.b64encode(b).decode()
def s(rpc,req,resp=None,**k): 
    d={"process":1,"seq":9,"protocol":6,"rpc":rpc,"request":{"type_name":"x_fs",**req}}
    if resp is not None: d["response"]=resp
    d.update(k); return d
err={"diagnostics":[{"severity":"ERROR","summary":"no"}]}
conf=lambda n: s("ConfigureStateStore",{"capabilities":{"chunk_size":"8388608"}},{"capabilities":{"chunk_size":str(n)}})
def chunks(b,n,meta=None,**k):
    out=[]
    for i in range(0,len(b),n):
        c={"bytes":B(b[i:i+n]),"total_length":str(len(b)),"range":{"start":str(i),"end":str(min(i+n,len(b))-1)}}
        if i==0: c["range"].pop("start")
        if i==0 and meta: c["meta"]=meta
        c.update(k); out.append(c)
    return out
def write(i,b,n=4): d=s("WriteStateBytes",{},{}); del d["request"]; d["requests"]=chunks(b,n,{"type_name":"x_fs","state_id":i}); return d
def read(i,b,n=4,**k): return s("ReadStateBytes",{"state_id":i},None,responses=chunks(b,n,**k))
lock=lambda i,l: s("LockState",{"state_id":i,"operation":"plan"},{"lock_id":l} if l is not None else err)
unlock=lambda i,l,r={}: s("UnlockState",{"state_id":i,"lock_id":l},r)
states=lambda *l: s("GetStates",{},{"state_ids":list(l)})
dele=lambda i: s("DeleteState",{"state_id":i},{})
psch={"process":1,"seq":1,"protocol":6,"rpc":"GetProviderSchema","request":{},"response":{"provider":{"block":{}},"state_store_schemas":{"x_fs":{"block":{}}}}}
b=b"{secret state}"
ok=[psch,conf(4),lock("d","L1"),read("d",b""),write("d",b),read("d",b),lock("d",None),unlock("d","X",err),unlock("d","L1"),states("d"),dele("d"),states(),read("d",b"")]
w('good.store.jsonl',*ok)
w('store.chunk-size.jsonl',psch,conf(0)); w('store.chunk-size.big.jsonl',psch,conf(1<<28)); w('store.chunk-size.negative.jsonl',psch,conf(-1))
w('store.chunks.jsonl',psch,conf(4),read("d",b,5))
w('store.range.jsonl',psch,conf(4),read("d",b,4,range={"start":"1","end":"4"}))
r=read("d",b,4); del r["responses"][0]["range"]; w('store.range.none.jsonl',psch,conf(4),r)
r=read("d",b,4); r["responses"]=r["responses"][:-1]; w('store.length.jsonl',psch,conf(4),r)
w('store.read-back.jsonl',psch,conf(4),write("d",b),read("d",b"{Secret state}"))
w('store.read-back.deleted.jsonl',psch,conf(4),write("d",b),dele("d"),read("d",b))
w('store.lock-id.jsonl',psch,conf(4),lock("d",""))
w('store.locked-twice.jsonl',psch,conf(4),lock("d","1"),lock("d","2"))
w('store.unlocked-by-other.jsonl',psch,conf(4),lock("d","1"),unlock("d","2"))
w('store.not-listed.jsonl',psch,conf(4),write("d",b),states("x"))
w('store.deleted-listed.jsonl',psch,conf(4),write("d",b),dele("d"),states("d"))

def store_at(path): c=conf(4); c["request"]["config"]=st({"path":path}); return c
w('good.two-stores.jsonl',psch,store_at("a"),lock("d","L1"),write("d",b),store_at("b"),lock("d","L2"),read("d",b""),states(),unlock("d","L2"))
w('store.read-back.configured-again.jsonl',psch,store_at("a"),write("d",b),store_at("a"),read("d",b""))
