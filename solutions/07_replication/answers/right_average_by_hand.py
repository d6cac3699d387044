# exercise: average
# score:    7/7
# why:      the gradient written out
def average(table, heads, towers):
    table_grad, head_grads = np.zeros(np.shape(table)), {}
    for tower in towers:
        head = np.array(heads[tower["task"]])
        text = np.array(table)[tower["words"]].sum(axis=0)
        slope = 2 * (text @ head - tower["target"]) / len(towers)
        for word in tower["words"]:
            table_grad[word] += slope * head
        head_grads[tower["task"]] = head_grads.get(tower["task"], np.zeros(len(head))) + slope * text
    return {"table": table_grad, "heads": {name: head_grads.get(name) for name in heads}}
